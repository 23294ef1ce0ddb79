import Foundation
import Platform
import SQLite
import StoreFormat
import TestSupport
import Testing

/// Everything in a store that a repair must bring back: rows, schema and metadata.
struct StoreContent: Equatable {
  /// The rows of each table, as their values, by their row numbers.
  var rows: [String: [Int64: [String: Value]]] = [:]

  /// The names of the indexes.
  var indexes: Set<String> = []

  /// Reads a store's main file.
  init(of path: String) throws {
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let tables = try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .compactMap { $0[0].string }
    for table in tables {
      var statement = try connection.prepare("SELECT rowid, * FROM \(quoteIdentifier(table))")
      let names = statement.columnNames
      var found: [Int64: [String: Value]] = [:]
      while try statement.step() {
        let values = (1..<statement.columnCount).map { (names[$0], statement.value(at: $0)) }
        found[statement.int64(at: 0)] = Dictionary(values, uniquingKeysWith: { first, _ in first })
      }
      rows[table] = found
    }
    indexes = Set(
      try connection.rows(
        "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
      ).compactMap { $0[0].string })
  }
}

/// The bytes of a store's main file.
func bytes(of path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

/// Every file below a folder with its size, inode, time stamp and bytes.
func everything(in folder: String) throws -> [String] {
  try FileSystem.list(folder).sorted().flatMap { name -> [String] in
    let path = "\(folder)/\(name)"
    let status = try FileStatus(of: path, followingLinks: false)
    let hash = status.kind == .regular ? Hexadecimal.encode(try sha256(ofFile: path)) : ""
    return [
      "\(path) \(status.size) \(status.mode) \(status.identity.inode) "
        + "\(status.modified.text).\(status.modified.nanoseconds) \(hash)"
    ] + (status.kind == .directory ? try everything(in: path) : [])
  } + ["\(try FileStatus(of: folder).modified)"]
}

/// Damages a store by statements that an app would never run, and folds its log in.
func damage(_ path: String, _ statements: String...) throws {
  let connection = try Connection(path: path, mode: .readWrite)
  try connection.execute("PRAGMA journal_mode = DELETE")
  for statement in statements { try connection.execute(statement) }
}
