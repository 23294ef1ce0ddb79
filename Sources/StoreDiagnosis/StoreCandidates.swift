import Platform
import SQLite

/// The files in a folder that are stores, or that were.
///
/// A broken store can't be recognised by its tables, so its name counts, too.
package struct StoreCandidates {
  /// The paths, in the order of their names.
  package private(set) var found: [String] = []

  /// The number of names that may still be visited.
  private var rest = 20_000

  /// The maximum depth; in an `.xcappdata`, a store is at depth 3 or 4.
  private static let deepest = 8

  private static let skipped = [".snapshots", ".momd", ".xcdatamodeld", ".xcdatamodel"]
  private static let endings = [".store", ".sqlite", ".storedata"]

  /// Finds the stores in a folder; symbolic links and hidden files aren't followed.
  package init(in folder: String) { visit(folder, depth: 0) }

  private mutating func visit(_ folder: String, depth: Int) {
    let names = ((try? FileSystem.list(folder)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
    for name in names {
      rest -= 1
      guard rest > 0 else { return }
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      switch (try? FileStatus.ifPresent(at: path, followingLinks: false))??.kind {
      case .directory:
        let isSkipped = Self.skipped.contains { name.hasSuffix($0) }
        if !isSkipped, depth < Self.deepest { visit(path, depth: depth + 1) }
      case .regular: add(path, names: names, name)
      case .symbolicLink, .other, nil: break
      }
    }
  }

  private mutating func add(_ path: String, names: [String], _ name: String) {
    if name.hasSuffix("-wal") {
      let main = String(name.dropLast(4))
      let isNamed = Self.endings.contains { main.hasSuffix($0) }
      if isNamed, !names.contains(main) { found.append(String(path.dropLast(4))) }
      return
    }
    let isNamed = Self.endings.contains { name.hasSuffix($0) }
    switch Self.isStore(path) {
    case true?: found.append(path)
    case false?: break
    // It isn't a database that SQLite can read.
    case nil: if isNamed { found.append(path) }
    }
  }

  /// Returns whether a database has Core Data's tables; `nil` if it can't be read.
  private static func isStore(_ path: String) -> Bool? {
    guard let file = try? FileDescriptor(opening: path), let head = try? file.read(16, at: 0),
      head == Array("SQLite format 3".utf8) + [0],
      let database = try? Connection(path: path, mode: .readOnlyUnshared),
      let count = try? database.value(
        "SELECT count(*) FROM sqlite_schema WHERE name IN ('Z_METADATA', 'Z_PRIMARYKEY')")?.int64
    else { return nil }
    return count > 0
  }
}
