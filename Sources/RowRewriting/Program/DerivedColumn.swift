import SQLite

/// A column of the query with a value from a temporary table that is filled before it.
package struct DerivedColumn: Hashable, Sendable {
  /// Why a row's value may refuse the row.
  enum Rule: Hashable, Sendable {
    /// A link of rows with these entity numbers mustn't become NULL.
    case mandatory(entityNumbers: Set<Int64>)

    /// A link of rows with these entity numbers mustn't be missing.
    case linked(entityNumbers: Set<Int64>)

    /// A link is the only one to its row, so it can't be moved.
    case oneToOne

    /// A number isn't higher than this.
    case limit(Int64)
  }

  /// The SQL over the columns of the source's table, with ``ComputedColumn/schemaMark``.
  let sql: String

  /// The statements that fill the temporary table, with ``ComputedColumn/schemaMark``.
  let preparation: [String]

  /// The column of the source whose value the result stands for; `nil` for a new attribute.
  package let replaced: String?

  /// The temporary table with the keys that a link mustn't have; `nil` if the value isn't a link.
  package let removedKeys: String?
  let rules: [Rule]

  /// The formulas that the statements read, each of which may fail for a row.
  var formulas: [RowFormula] = []

  /// Returns why a row's value refuses the row; `nil` if it doesn't.
  ///
  /// - Parameters:
  ///   - row: The row, whose entity number is the column 1.
  ///   - place: The index of this column.
  ///   - old: The index of the replaced column.
  /// - Returns: What is wrong, as `RowError` words it.
  func problem(_ row: borrowing Statement, at place: Int, replacing old: Int?) -> String? {
    for rule in rules {
      switch rule {
      // A number above 64 bits is a real one.
      case .limit(let limit) where row.type(at: place) == .real || row.int64(at: place) > limit:
        return "would be a number that its type doesn't hold"
      case .mandatory(let numbers):
        guard let old, numbers.contains(row.int64(at: 1)), !row.isNull(at: old),
          row.isNull(at: place)
        else { continue }
        return "is mandatory, and links to a row that the migration removes"
      case .linked(let numbers):
        guard numbers.contains(row.int64(at: 1)), row.isNull(at: place) else { continue }
        return "is mandatory, and no link is left for it"
      case .oneToOne:
        guard let old, !row.isNull(at: old), !row.isNull(at: place),
          row.int64(at: old) != row.int64(at: place)
        else { continue }
        return "is the only link to a row that is united with another, and can't be moved"
      case .limit: continue
      }
    }
    return nil
  }
}

/// A formula that a statement reads for each row of a table.
struct RowFormula: Hashable, Sendable {
  /// The SQL over the columns of the table, with ``ComputedColumn/schemaMark``.
  let sql: String
  let table: String

  /// The condition for the rows, with the same mark.
  let condition: String

  /// How an error names the rows and the formula.
  let entity: String
  let name: String

  /// The query for the keys of the rows, in order.
  var keys: String {
    """
    SELECT Z_PK FROM \(ComputedColumn.schemaMark).\(quoteIdentifier(table)) NOT INDEXED
    WHERE \(condition) ORDER BY Z_PK
    """
  }
}

extension RowProgram {
  /// Whether steps remove rows of the source's table one by one.
  package var losesRows: Bool { removals?.tables.contains(sourceTable) == true }

  /// Whether every row of the source's table is written to the target.
  package var carriesAllRows: Bool { carriesAllEntities && !losesRows }

  /// Returns the index of the column whose value a derived one stands for, if there is one.
  package func place(ofReplaced column: DerivedColumn) -> Int? {
    column.replaced.flatMap { sourceColumns.firstIndex(of: .named($0)) }
  }
}
