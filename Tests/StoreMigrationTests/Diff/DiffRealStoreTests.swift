import Platform
import SQLite
import StoreFormat
import TestSupport
import Testing

@testable import StoreMigration
import Migrations
import OutboxConversion
import StoreProof

/// Stores that Apple's frameworks made, of apps that no catalog knows.
@Suite struct DiffRealStoreTests {
  @Test(arguments: sample(15, of: RealStore.all))
  func `a store equals its copy, and both stay as they were`(store: RealStore) throws {
    let (first, second) = (try TemporaryDirectory(), try TemporaryDirectory())
    let (a, b) = (try store.copy(into: first), try store.copy(into: second))
    let before = try fingerprint(of: first) + fingerprint(of: second)
    let (difference, told) = try bundledMigrator().told(a, b)
    #expect(try fingerprint(of: first) + fingerprint(of: second) == before)
    #expect(difference.isEqual)
    #expect(told == [])
    #expect(
      Int(difference.entities.reduce(0) { $0 + $1.rowsEqual }) == (try ReferenceStore(a).rows.count)
    )
  }

  @Test(arguments: sample(15, of: RealStore.all))
  func `edits to a copy are found`(store: RealStore) throws {
    let (first, second) = (try TemporaryDirectory(), try TemporaryDirectory())
    let (a, b) = (try store.copy(into: first), try store.copy(into: second))
    try RandomEdits.make(50, in: b, seed: 3)
    let expected = try ReferenceStore(a).differences(to: try ReferenceStore(b))
    let (_, told) = try bundledMigrator().told(a, b)
    #expect(told == expected)
  }

  /// Apple's own migration and ours, in entity terms.
  @Test(arguments: zip(82...91, 83...92))
  func `what we make of a store equals what Core Data made of it`(from: Int, to: Int) throws {
    guard let early = RealStores.wire(from), let late = RealStores.wire(to) else { return }
    let folder = try TemporaryDirectory()
    let (ours, theirs) = (folder.path("ours.store"), folder.path("theirs.store"))
    try FileSystem.copy(early, to: ours)
    try FileSystem.copy(late, to: theirs)
    let migrator = try bundledMigrator()
    let schema = try migrator.capture(theirs, version: "late")
    _ = try migrator.apply(to: ours, MigrationRequest(schema: schema))
    let difference = try migrator.difference(between: ours, and: theirs)
    #expect(difference.isEqual, "\(difference.entities.filter { !$0.isEqual })")
  }
}
