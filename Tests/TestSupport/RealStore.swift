import Platform

/// A store that Core Data or SwiftData made, with or without its write-ahead log.
package struct RealStore: CustomStringConvertible, Sendable {
  package let folder: String
  package let name: String

  /// Whether the write-ahead log is taken along; without it the store is as at its last checkpoint.
  package let hasLog: Bool

  package var description: String { "\(folder)\(hasLog ? "" : " without its log")" }

  package static let all: [RealStore] = {
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
  package func copy(into directory: TemporaryDirectory) throws -> String {
    for suffix in hasLog ? ["", "-wal"] : [""] {
      let source = "\(Self.root)/\(folder)/\(name)\(suffix)"
      if try FileSystem.exists(source) {
        _ = try FileSystem.copy(source, to: directory.path(name + suffix))
      }
    }
    return directory.path(name)
  }
}
