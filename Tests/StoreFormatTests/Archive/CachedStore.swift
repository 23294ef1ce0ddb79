import Platform
import SQLite
import TestSupport
import Testing

/// A store that Core Data or SwiftData created, with a model cache.
struct CachedStore: CustomTestStringConvertible {
  /// The name of the directory, which names the store's origin.
  let name: String
  let path: String

  var testDescription: String { name }

  /// All stores found; without any, a test prints a message and passes.
  static let all: [CachedStore] = {
    RealStores.folders.compactMap { folder in
      RealStores.path(of: folder.name).map { CachedStore(name: folder.name, path: $0) }
    }
    .filter { (try? $0.cache()) != nil }
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
