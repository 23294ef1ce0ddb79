import Migrations
import Platform
import StoreModel

/// A folder of schema and migration files, searched recursively.
struct MigrationFolder: Hashable, Sendable {
  typealias File = (path: String, bytes: [UInt8])

  /// The path, as typed.
  let path: String

  /// Returns the `.json` files, ordered by path.
  func files() throws(SystemError) -> [File] {
    var files: [File] = []
    for name in try FileSystem.list(path) where !name.hasPrefix(".") {
      let path = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
      switch try FileStatus(of: path).kind {
      // Receipts of snapshots aren't migrations.
      case .directory where name.hasSuffix(".snapshots"): break
      case .directory: files += try MigrationFolder(path: path).files()
      case .regular where name.hasSuffix(".json"):
        files.append((path, try FileSystem.read(path)))
      default: break
      }
    }
    return files
  }

  /// Returns the version with equal hashes that a schema file in the folder itself is about.
  ///
  /// Files that can't be read are left out.
  func version(like version: ModelVersion) -> ModelVersion? {
    let names = (try? FileSystem.list(path)) ?? []
    return names.filter { $0.hasSuffix(".schema.json") }.sorted()
      .compactMap { try? SchemaFile(at: path.hasSuffix("/") ? path + $0 : "\(path)/\($0)") }
      .map { ModelVersion($0) }.first { $0.has(version.hashes) }
  }
}
