import SQLite
import StoreModel

/// Compares persistent history with the entities of the model.
///
/// See `StoreFormat.md` §8. Update masks aren't checked, because their format is known only for
/// entities without inheritance.
struct HistoryCheck {
  let layout: StoreLayout
  let store: StoreDescription
  let schema: String

  /// Whether the changes are read, not only the highest keys.
  private let readsChanges: Bool

  init(_ store: StoreDescription, model: Model, schema: String, readsChanges: Bool = true) {
    self.readsChanges = readsChanges
    self.store = store
    self.schema = schema
    layout = store.layout(of: model)
  }

  func findings(_ connection: borrowing Connection) throws(SQLiteError) -> [Finding] {
    try (readsChanges ? changeFindings(connection) : []) + maximumFindings(connection)
  }

  /// Finds changes of unknown entities.
  ///
  /// The model's entity numbers start at 1 and have no gaps.
  private func changeFindings(_ connection: borrowing Connection) throws(SQLiteError) -> [Finding] {
    guard store.table(named: HistoryTables.changes) != nil else { return [] }
    let row = try connection.rows(
      """
      SELECT count(*), min(Z_PK) FROM \(name(HistoryTables.changes))
      WHERE ZENTITY IS NULL OR ZENTITY NOT BETWEEN 1 AND ?1
      """, [.integer(Int64(layout.numbering.names.count))])[0]
    guard let count = row[0].int64, count > 0, let first = row[1].int64 else { return [] }
    return [
      Finding(
        .history,
        """
        \(counted(count, "change", "changes")) in the history \(count == 1 ? "belongs" : "belong") \
        to an entity that isn't in the model, first CHANGE/\(first)
        """)
    ]
  }

  private func maximumFindings(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for (entity, table) in zip(HistoryTables.entities, HistoryTables.tableNames) {
      guard let row = store.entityNumbers.first(where: { $0.number == entity.number }) else {
        continue
      }
      findings += try store.maximumFindings(
        .maximumKeys, entity.name, row, in: table, schema: schema, connection)
    }
    return findings
  }

  private func name(_ table: String) -> String {
    qualified(table, in: schema)
  }
}
