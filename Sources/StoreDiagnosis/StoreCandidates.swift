import Platform
import SQLite
import StoreFormat

/// Those of an app's files that are stores, or that were.
///
/// A broken store can't be recognised by its tables, so its name counts, too.
package struct StoreCandidates {
  /// The paths, in the order of the files.
  package let found: [String]

  package init(among files: [String]) { found = files.compactMap(Self.candidate) }

  /// Returns the path of the store that a file is, or belongs to without its main file.
  private static func candidate(_ path: String) -> String? {
    if path.hasSuffix("-wal") {
      let main = String(path.dropLast(4))
      return isNamed(main) && (try? FileSystem.exists(main)) == false ? main : nil
    }
    // A database that SQLite can't read is known by its name.
    return isStore(path) ?? isNamed(path) ? path : nil
  }

  private static func isNamed(_ path: String) -> Bool {
    StoreFiles.endings.contains { path.hasSuffix($0) }
  }

  /// Returns whether a database has Core Data's tables; `nil` if it can't be read.
  private static func isStore(_ path: String) -> Bool? {
    guard let file = try? FileDescriptor(opening: path), let head = try? file.read(16, at: 0),
      head.isDatabase,
      let database = try? Connection(path: path, mode: .readOnlyUnshared),
      let count = try? database.value(
        "SELECT count(*) FROM sqlite_schema WHERE name IN ('Z_METADATA', 'Z_PRIMARYKEY')")?.int64
    else { return nil }
    return count > 0
  }
}
