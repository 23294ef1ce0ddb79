import TestSupport
import SQLite
import StoreModel
import Testing

import Migrations

/// What a migration must make of the tables of mirroring, computed slowly, row by row.
///
/// It uses nothing of the tool: names and numbers are those in `Z_PRIMARYKEY` of both stores.
struct MirroredCopy {
  /// The tables with all their rows as text, and the entity's number of each where it has one.
  let tables: [String: [[String: Value]]]

  /// The entities' names by number.
  let names: [Int64: String]

  init(of path: String) throws {
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    var names: [Int64: String] = [:]
    for row in try connection.rows("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY") {
      names[try #require(row[0].int64)] = row[1].string
    }
    self.names = names
    var tables: [String: [[String: Value]]] = [:]
    for table in try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'ANSCK%'")
    {
      let name = try #require(table[0].string)
      tables[name] = try rows(of: name, in: path)
    }
    self.tables = tables
  }

  /// Returns the tables with the numbers of another store, without rows of entities that it lacks.
  func migrated(to other: MirroredCopy) -> [String: [[String: Value]]] {
    tables.mapValues { rows in
      rows.compactMap { row in
        guard let number = row["ZENTITYID"]?.int64 else { return row }
        guard let name = names[number],
          let new = other.names.first(where: { $0.value == name && $0.key < 16_001 })?.key
        else { return nil }
        var row = row
        row["ZENTITYID"] = .integer(new)
        return row
      }
    }
  }

  /// The rows of `Z_PRIMARYKEY` for mirroring.
  static func numbers(in path: String) throws -> [[Value]] {
    try Connection(path: path, mode: .readOnlyUnshared)
      .rows("SELECT * FROM Z_PRIMARYKEY WHERE Z_ENT > 17000 ORDER BY 1")
  }
}
