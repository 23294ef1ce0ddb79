import Platform

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
}
