package import CommandLineKit
import Platform
import SQLite

/// The path of a store, found from its main file, from a file beside it, or from a folder.
package struct StorePath: ArgumentValue, Hashable {
  /// The path of the main file; the word as typed if it leads to no store.
  package let path: String

  package init(argument: String) throws(ArgumentValueError) {
    let found = Self.stores(at: argument)
    guard found.count < 2 else {
      throw .malformed(
        expected: "one of the stores in it: "
          + found.map { "'\($0)'" }.joined(separator: ", "))
    }
    path = found.first ?? argument
  }

  /// Finds the store that a word means, in commands that also take other words.
  package init(checking word: String) throws(UsageError) {
    let found = Self.stores(at: word)
    guard found.count < 2 else {
      throw .refused(
        "'\(word)' has several stores; give one of "
          + found.map { "'\($0)'" }.joined(separator: ", "))
    }
    path = found.first ?? word
  }

  package var argumentText: String { path }

  /// Returns the stores that a word may mean; empty for a file.
  private static func stores(at word: String) -> [String] {
    guard let kind = try? FileStatus(of: word).kind else { return [] }
    if kind == .directory { return files(below: word).filter(isStore) }
    let ending = ["-wal", "-shm", "-journal"].first { word.hasSuffix($0) }
    guard let ending, !isDatabase(word) else { return [] }
    let main = String(word.dropLast(ending.count))
    return isDatabase(main) ? [main] : []
  }

  /// Returns the files in a folder, such as an app's container, that may be stores.
  ///
  /// In an `.xcappdata`, a store is at depth 3 or 4.
  package static func files(below folder: String) -> [String] {
    let others = [".snapshots", ".momd", ".xcdatamodeld", ".xcdatamodel"]
    return FileSystem.files(below: folder, depth: 8, skippingFolders: others)
  }

  /// Returns whether a file is a database with Core Data's tables.
  private static func isStore(_ path: String) -> Bool {
    guard isDatabase(path), let database = try? Connection(path: path, mode: .readOnlyUnshared)
    else { return false }
    let query =
      "SELECT count(*) FROM sqlite_schema WHERE name IN ('Z_METADATA', 'Z_PRIMARYKEY')"
    return (try? database.value(query))??.int64 == 2
  }

  /// Returns whether a file begins as an SQLite database.
  static func isDatabase(_ path: String) -> Bool {
    guard let status = try? FileStatus(of: path), status.kind == .regular,
      let file = try? FileDescriptor(opening: path), let bytes = try? file.read(16, at: 0)
    else { return false }
    return bytes.isDatabase
  }
}
