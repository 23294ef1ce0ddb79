package import SQLite
package import StoreModel

/// Compares the rows of a store with its model.
///
/// See `StoreFormat.md` §9. Findings name rows by entity and key, never by content.
///
/// - Complexity: One pass over each table and one for each link, over the link's index if it has
///   one. Memory doesn't depend on the number of rows.
package struct RowCheck {
  let model: Model
  let layout: StoreLayout
  let store: StoreDescription

  /// The schema of the store.
  let schema: String

  /// The rules that needn't be checked again; `nil` to check all.
  let kept: KeptRules?

  /// Creates a check of a store against a model.
  package init(
    _ store: StoreDescription, model: Model, schema: String = "main", besides kept: KeptRules? = nil
  ) {
    self.store = store
    self.model = model
    self.schema = schema
    self.kept = kept
    layout = store.layout(of: model)
  }

  /// Returns all findings.
  ///
  /// Missing tables and columns are skipped: ``StructureCheck`` reports them.
  package func findings(_ connection: borrowing Connection) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for table in layout.tables where store.isComplete(table) {
      findings += try tableFindings(of: table, connection)
      findings += try linkFindings(of: table, connection)
    }
    for table in layout.joinTables where store.isComplete(table) {
      findings += try linkFindings(of: table, connection)
    }
    return findings
  }

  func name(_ table: String) -> String {
    qualified(table, in: schema)
  }
}

extension StoreDescription {
  /// Returns whether the store has a table with all its columns.
  func isComplete(_ table: Table) -> Bool {
    has(table.columns.map(\.name), in: table.name)
  }

  /// Returns whether the store has a join table with all its columns.
  func isComplete(_ table: JoinTable) -> Bool {
    has(table.columnNames, in: table.name)
  }

  /// Returns whether a table exists and has these columns, ignoring case.
  func has(_ columns: [String], in table: String) -> Bool {
    guard let found = self.table(named: table) else { return false }
    let names = Set(found.columns.map { $0.name.uppercased() })
    return columns.allSatisfy { names.contains($0.uppercased()) }
  }
}
