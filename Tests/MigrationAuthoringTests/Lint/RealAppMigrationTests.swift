import SQLite
import StoreFormat
import StoreModel
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Core Data itself migrated one store again and again: what lint says of that must have been so.
@Suite struct RealAppMigrationTests {
  @Test(arguments: Array(zip(82...91, 83...92)))
  func `lint finds nothing that would have kept Core Data from it`(from: Int, to: Int) throws {
    guard let early = RealStores.wire(from), let late = RealStores.wire(to) else { return }
    let (old, new) = (try model(of: early), try model(of: late))
    for effect in AppMigration(from: old, to: new).effects {
      switch effect {
      case .newMandatory, .nowMandatory, .typeChanged, .manyToOne:
        Issue.record("Core Data did it")
      case .entityDropped(let name): #expect(new[name] == nil)
      case .valuesDropped(let path): #expect(new[path.entity]?[path.property] == nil)
      }
    }
  }

  private func model(of path: String) throws -> Model {
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    return try #require(try StoreDescription(reading: connection).cachedModel)
  }
}
