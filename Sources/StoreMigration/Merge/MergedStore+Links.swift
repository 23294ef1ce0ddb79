import SQLite
import StoreFormat
import Migrations
import RowRewriting

extension MergedStore {
  /// Merges a join table that has the same columns in both versions.
  func mergeLinks(
    of name: String, _ connection: borrowing Connection, _ outcome: inout Outcome
  ) throws {
    guard let table = program.targetLayout.joinTables.first(where: { $0.name == name }) else {
      return
    }
    try mergeLinks(
      JoinProgram(table: table, sourceTable: name, sourceColumns: table.columnNames.map(\.self)),
      connection, &outcome)
  }

  /// Links are the snapshot's, without those that were taken away since, and with those added.
  func mergeLinks(
    _ join: JoinProgram, _ connection: borrowing Connection, _ outcome: inout Outcome
  ) throws {
    let names = join.table.columnNames.map(quoteIdentifier).joined(separator: ", ")
    let old = "SELECT \(names) FROM \(qualified(join.table.name, in: Replay.oldSchema))"
    let new = qualified(join.table.name, in: result)
    guard let source = join.sourceTable else {
      try connection.execute("INSERT INTO \(new) (\(names)) \(old)")
      return
    }
    let columns = join.sourceColumns.map { $0.map(quoteIdentifier) ?? "NULL" }
      .joined(separator: ", ")
    let base = "SELECT \(columns) FROM \(qualified(source, in: replay.schema(of: source)))"
    let present = "SELECT \(columns) FROM \(qualified(source, in: schema))"
    try connection.execute(
      """
      INSERT INTO \(new) (\(names))
      SELECT * FROM (\(old) EXCEPT SELECT * FROM (\(base) EXCEPT \(present)))
      UNION SELECT * FROM (\(present) EXCEPT \(base))
      """)
    func count(_ query: String) throws -> Int64 {
      try connection.value("SELECT count(*) FROM (\(query))")?.int64 ?? 0
    }
    outcome.merged.append(
      EntityChange(
        entity: "\(join.table.first.entity).\(join.table.first.relationship)",
        added: try count("\(present) EXCEPT \(base)"), changed: 0,
        removed: try count("\(base) EXCEPT \(present)")))
  }
}
