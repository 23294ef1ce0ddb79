import Platform
import TestSupport
import Testing

@testable import StoreMigration
import OutboxConversion
import StoreProof

/// A store that Core Data or SwiftData made, with or without its write-ahead log.
struct RealStore: CustomTestStringConvertible {
  let folder: String
  let name: String

  /// Whether the write-ahead log is taken along; without it the store is as at its last checkpoint.
  let hasLog: Bool

  var testDescription: String { "\(folder)\(hasLog ? "" : " without its log")" }

  static let all: [RealStore] = {
    var stores: [RealStore] = []
    for folder in (try? FileSystem.list(root)) ?? [] {
      let names = (try? FileSystem.list("\(root)/\(folder)")) ?? []
      for name in names where !name.hasSuffix("-wal") && !name.hasSuffix("-shm") {
        stores.append(RealStore(folder: folder, name: name, hasLog: true))
        if names.contains(name + "-wal") {
          stores.append(RealStore(folder: folder, name: name, hasLog: false))
        }
      }
    }
    if stores.isEmpty { print("skipped: there are no stores in '\(root)'") }
    return stores
  }()

  private static var root: String { RealStores.root }

  /// Copies the store into a folder and returns the copy's path.
  func copy(into directory: TemporaryDirectory) throws -> String {
    for suffix in hasLog ? ["", "-wal"] : [""] {
      let source = "\(Self.root)/\(folder)/\(name)\(suffix)"
      if try FileSystem.exists(source) {
        _ = try FileSystem.copy(source, to: directory.path(name + suffix))
      }
    }
    return directory.path(name)
  }
}

@Suite struct VerifyRealStoreTests {
  @Test(arguments: RealStore.all)
  func `what the frameworks wrote passes every check and stays as it was`(
    store: RealStore
  ) throws {
    let directory = try TemporaryDirectory()
    let path = try store.copy(into: directory)
    let before = try fingerprint(of: directory)
    let report = try bundledMigrator().verify(path)
    #expect(report.isPassed, "\(report.checks.flatMap(\.details))")
    #expect(try fingerprint(of: directory) == before)
  }
}
