import Platform

/// A folder of schema and migration files, with the folders in it.
struct MigrationFolder: Hashable, Sendable {
  typealias File = (path: String, bytes: [UInt8])

  /// The path, as it was typed.
  let path: String

  /// The `.json` files, ordered by their paths.
  func files() throws(SystemError) -> [File] {
    var files: [File] = []
    for name in try FileSystem.list(path) where !name.hasPrefix(".") {
      let path = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
      switch try FileStatus(of: path).kind {
      // Receipts of snapshots are no migrations.
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
