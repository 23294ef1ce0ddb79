package import SQLite
package import StoreModel

/// Reads the rows of a store and compares them with what its model asks for.
///
/// See `StoreFormat.md` §9. Rows are named by entity and key, never by content.
///
/// - Complexity: One pass over each table, and one for each link, over the link's index where it
///   has one; memory doesn't grow with the rows.
package struct RowCheck {
  let model: Model
  let layout: StoreLayout
  let store: StoreDescription

  /// The name under which the store is attached.
  let schema: String

  /// Prepares the check of a store against a model.
  package init(_ store: StoreDescription, model: Model, schema: String = "main") {
    self.store = store
    self.model = model
    self.schema = schema
    layout = StoreLayout(model, joinTableNames: store.tableNames)
  }

  /// Everything that isn't as it should be.
  ///
  /// Tables and columns that are missing are left to the structure's check.
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

  /// The numbers of an entity and its sub-entities.
  ///
  /// Depth first, an entity is followed by all that inherit from it: the numbers have no gaps.
  func numbers(below entity: String) -> ClosedRange<Int>? {
    guard let first = layout.numbering.number(of: entity) else { return nil }
    let following = layout.numbering.names.dropFirst(first)
    return first...(first + following.prefix { model.inherits($0, from: entity) }.count)
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

  /// Returns whether a table is there and has these columns, regardless of case.
  func has(_ columns: [String], in table: String) -> Bool {
    guard let found = self.table(named: table) else { return false }
    let names = Set(found.columns.map { $0.name.uppercased() })
    return columns.allSatisfy { names.contains($0.uppercased()) }
  }
}
