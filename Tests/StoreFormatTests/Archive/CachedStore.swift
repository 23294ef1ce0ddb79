import Platform
import SQLite
import TestSupport
import Testing

/// A store that Core Data or SwiftData created, found next to the project or in
/// `OUTBOX_MIGRATE_STORES`.
struct CachedStore: CustomTestStringConvertible {
  /// The name of the directory, which names the store's origin.
  let name: String
  let path: String

  var testDescription: String { name }

  /// All stores found; without any, a test prints a message and passes.
  static let all: [CachedStore] = {
    let folder = environment("OUTBOX_MIGRATE_STORES") ?? "../shared/stores"
    var stores: [CachedStore] = []
    for name in (try? FileSystem.list(folder)) ?? [] {
      for file in (try? FileSystem.list("\(folder)/\(name)")) ?? [] where !file.hasSuffix("-shm") {
        let path = "\(folder)/\(name)/\(file)"
        guard !file.hasSuffix("-wal"), let bytes = try? FileSystem.read(path) else { continue }
        if bytes.starts(with: "SQLite format 3".utf8) {
          stores.append(CachedStore(name: name, path: path))
        }
      }
    }
    if stores.isEmpty { print("skipped: there are no stores in '\(folder)'") }
    return stores.sorted { $0.name < $1.name }
  }()

  static let swiftData = all.filter {
    $0.name.hasPrefix("metacocktails") || $0.name.hasPrefix("resourcesmanager")
  }

  /// The contents of `Z_MODELCACHE`, read from a copy, or `nil` if the store has no such table.
  func cache() throws -> [UInt8]? {
    let directory = try TemporaryDirectory()
    for suffix in ["", "-wal"] where try FileSystem.exists(path + suffix) {
      _ = try FileSystem.copy(path + suffix, to: directory.path("store" + suffix))
    }
    let connection = try Connection(path: directory.path("store"), mode: .readWrite)
    let tables = try connection.rows("SELECT 1 FROM sqlite_master WHERE name = 'Z_MODELCACHE'")
    if tables.isEmpty { return nil }
    return try connection.value("SELECT Z_CONTENT FROM Z_MODELCACHE")?.bytes
  }

  /// The property list in the metadata.
  func metadata() throws -> [UInt8]? {
    let directory = try TemporaryDirectory()
    for suffix in ["", "-wal"] where try FileSystem.exists(path + suffix) {
      _ = try FileSystem.copy(path + suffix, to: directory.path("store" + suffix))
    }
    let connection = try Connection(path: directory.path("store"), mode: .readWrite)
    return try connection.value("SELECT Z_PLIST FROM Z_METADATA")?.bytes
  }
}
