import SQLite
import StoreFormat
import StoreModel
import Migrations

/// The result of a formula, as a column of the query that reads the source's rows.
package struct ComputedColumn: Hashable, Sendable {
  /// The formula's SQL, in parentheses, without the schema of the tables that it reads.
  ///
  /// The schema comes between the parts.
  private let parts: [String]

  /// The type of the attribute that gets the result.
  let type: AttributeType

  /// Whether the result may be NULL.
  let isOptional: Bool

  /// The formula; `nil` if no step states it.
  let formula: Formula?

  /// What the result is for.
  let purpose: Computation.Purpose

  /// An option that a step reads for each row, and that isn't given.
  let missingOption: MigrationOption?

  /// The source's numbers of the entities whose rows are computed; other rows have NULL.
  package let entityNumbers: Set<Int64>

  /// The classes under which plans count the rows, in the order of reports.
  package let classes: [String]

  /// Creates a column.
  ///
  /// - Parameters:
  ///   - sql: The SQL, with ``schemaMark`` in place of a table's schema.
  ///   - computation: What is computed.
  ///   - numbers: The source's numbers of the entities whose rows are computed.
  init(_ sql: String, of computation: Computation, entityNumbers numbers: Set<Int64>) {
    self.init(
      sql, type: computation.type, isOptional: computation.isOptional,
      purpose: computation.purpose, entityNumbers: numbers,
      classes: computation.countedClasses, formula: computation.formula)
  }

  init(
    _ sql: String, type: AttributeType, isOptional: Bool, purpose: Computation.Purpose,
    entityNumbers numbers: Set<Int64>, classes: [String] = [], formula: Formula? = nil,
    missing option: MigrationOption? = nil
  ) {
    (self.classes, self.formula, missingOption) = (classes, formula, option)
    parts = sql.split(separator: Self.schemaMark, omittingEmptySubsequences: false)
      .map(String.init)
    (self.type, self.isOptional) = (type, isOptional)
    (self.purpose, entityNumbers) = (purpose, numbers)
  }

  /// A character that no SQL contains.
  static let schemaMark = "\0"

  /// Returns the SQL for a schema under which the source is attached.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - function: A function that gets each result; `nil` for the result itself.
  ///   - other: The value of rows of other entities.
  /// - Returns: SQL over the columns of the source's table.
  func sql(
    schema: String, through function: String = "", otherwise other: String = "NULL"
  ) -> String {
    let list = entityNumbers.sorted().map(String.init).joined(separator: ", ")
    let formula = parts.joined(separator: quoteIdentifier(schema))
    return "CASE WHEN Z_ENT IN (\(list)) THEN \(function)(\(formula)) ELSE \(other) END"
  }

  /// Returns why a row's result refuses the row; `nil` if it doesn't.
  ///
  /// - Parameters:
  ///   - row: The row, whose entity number is the column 1.
  ///   - place: The index of this column.
  /// - Returns: What is wrong, as `RowError` words it.
  func problem(_ row: borrowing Statement, at place: Int) -> String? {
    guard missingOption == nil, entityNumbers.contains(row.int64(at: 1)) else { return nil }
    return switch purpose {
    case .restoration: nil
    case .requirement(let reason):
      row.int64(at: place) != 0 ? nil : "isn't as required: \(reason)"
    case .classes(_, let refusal): classIndex(row, at: place) == nil ? refusal : nil
    case .value: FormulaResult(row, at: place).problem(as: type, isOptional: isOptional)
    }
  }

  /// Returns the index of a row's class; `nil` if the row has none.
  func classIndex(_ row: borrowing Statement, at place: Int) -> Int? {
    guard !classes.isEmpty, entityNumbers.contains(row.int64(at: 1)) else { return nil }
    guard case .classes = purpose else { return row.isNull(at: place) ? 1 : 0 }
    return row.value(at: place).string.flatMap(classes.firstIndex)
  }
}

extension Computation {
  /// The classes under which plans count the results; empty if another column has them.
  fileprivate var countedClasses: [String] {
    switch purpose {
    case .value: classes == nil ? ["computed", "nil"] : []
    case .classes(let names, _): names
    case .restoration, .requirement: []
    }
  }
}

extension AttributeType {
  /// Returns a result as a column of this type stores it: 5.0 as 5 in a numeric column.
  ///
  /// SQLite changes the numbers in such a way by the column's affinity.
  func storedForm(of sql: String) -> String {
    switch declaredType {
    case "INTEGER", "TIMESTAMP", "DECIMAL":
      """
      (SELECT CASE WHEN typeof(v) = 'real' AND v = CAST(v AS INTEGER) THEN CAST(v AS INTEGER) \
      ELSE v END FROM (SELECT \(sql) AS v))
      """
    case "FLOAT":
      "(SELECT CASE WHEN typeof(v) = 'integer' THEN CAST(v AS REAL) ELSE v END FROM (SELECT \(sql) AS v))"
    default: sql
    }
  }
}
