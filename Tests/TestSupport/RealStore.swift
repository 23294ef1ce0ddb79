import Platform
import SQLite

/// A store that Core Data or SwiftData made, with or without its write-ahead log.
package struct RealStore: CustomStringConvertible, Sendable {
  /// The path of the store's folder.
  package let folder: String
  package let name: String

  /// Whether the write-ahead log is taken along; without it the store is as at its last checkpoint.
  package let hasLog: Bool

  package var description: String {
    "\(folder.split(separator: "/").last ?? "")\(hasLog ? "" : " without its log")"
  }

  /// The stores with a model cache.
  package static let all: [RealStore] = found.filter(\.hasModelCache)

  /// The stores of old systems, without a model cache.
  package static let withoutModelCache: [RealStore] = found.filter { !$0.hasModelCache }

  private var hasModelCache: Bool {
    guard let directory = try? TemporaryDirectory(), let path = try? copy(into: directory),
      let store = try? Connection(path: path, mode: .readOnlyUnshared)
    else { return false }
    return (try? store.value("SELECT Z_CONTENT FROM Z_MODELCACHE")) != nil
  }

  private static let found: [RealStore] = {
    var stores: [RealStore] = []
    for folder in RealStores.folders {
      for name in folder.files where !name.hasSuffix("-wal") && !name.hasSuffix("-shm") {
        stores.append(RealStore(folder: folder.path, name: name, hasLog: true))
        if folder.files.contains(name + "-wal") {
          stores.append(RealStore(folder: folder.path, name: name, hasLog: false))
        }
      }
    }
    return stores
  }()

  /// Copies the store into a folder and returns the copy's path.
  package func copy(into directory: TemporaryDirectory) throws -> String {
    for suffix in hasLog ? ["", "-wal"] : [""] {
      let source = "\(folder)/\(name)\(suffix)"
      if try FileSystem.exists(source) {
        _ = try FileSystem.copy(source, to: directory.path(name + suffix))
      }
    }
    return directory.path(name)
  }
}
