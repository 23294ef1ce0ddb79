import StoreFormat
import SQLite
import RowRewriting
import StoreProof

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

  /// Merges a join table: the snapshot's links, without those removed since, with those added.
  func mergeLinks(
    _ join: JoinProgram, _ connection: borrowing Connection, _ outcome: inout Outcome
  ) throws {
    if let relinked = join.relinked {
      outcome.merged.append(try mergeLinks(relinked, in: join.table, connection))
      return
    }
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
    let sets = RowSets(base: base, present: present)
    if let moved = movedLinks(of: join.table) {
      try connection.execute(
        """
        INSERT INTO \(new) (\(names)) \(moved.unmoved(old, without: sets.removed, join.table))
        UNION SELECT * FROM (\(sets.added))
        """)
      outcome.merged.append(try sets.change(of: join.table.path, connection))
      return
    }
    try connection.execute(
      """
      INSERT INTO \(new) (\(names))
      SELECT * FROM (\(old) EXCEPT SELECT * FROM (\(sets.removed)))
      UNION SELECT * FROM (\(sets.added))
      """)
    outcome.merged.append(try sets.change(of: join.table.path, connection))
  }
}
