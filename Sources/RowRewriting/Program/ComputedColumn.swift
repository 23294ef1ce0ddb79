import SQLite
import StoreFormat
import StoreModel

/// The result of a formula, as a column of the query that reads the source's rows.
package struct ComputedColumn: Hashable, Sendable {
  /// The SQL, in parentheses, without the schema of the tables that it reads.
  ///
  /// The schema comes between the parts.
  private let parts: [String]

  /// The type of the attribute that gets the result.
  let type: AttributeType

  /// Whether the result may be NULL.
  let isOptional: Bool

  /// Creates a column.
  ///
  /// - Parameters:
  ///   - sql: The SQL, with ``schemaMark`` in place of a table's schema.
  ///   - type: The type of the attribute.
  ///   - isOptional: Whether the result may be NULL.
  init(_ sql: String, type: AttributeType, isOptional: Bool) {
    parts = sql.split(separator: Self.schemaMark, omittingEmptySubsequences: false).map(String.init)
    (self.type, self.isOptional) = (type, isOptional)
  }

  /// A character that no SQL contains.
  static let schemaMark = "\0"

  /// Returns the SQL for a schema under which the source is attached.
  func sql(schema: String) -> String { parts.joined(separator: quoteIdentifier(schema)) }

  /// Returns why a result can't be the attribute's value; `nil` if it can.
  ///
  /// - Parameters:
  ///   - kind: The storage class of the result.
  ///   - byteCount: The number of bytes of a text or blob.
  func problem(_ kind: StorageClass, byteCount: Int) -> String? {
    switch (kind, type) {
    case (.null, _): isOptional ? nil : "would be NULL by its formula, and is mandatory"
    case (.integer, .integer16), (.integer, .integer32), (.integer, .integer64),
      (.integer, .boolean), (.integer, .decimal), (.integer, .date), (.real, .decimal),
      (.real, .date), (.real, .double), (.real, .float), (.text, .string), (.text, .uri),
      (.blob, .binary), (.blob, .transformable):
      nil
    case (.blob, .uuid): byteCount == 16 ? nil : "would be \(byteCount) bytes by its formula, not 16"
    case (.integer, _), (.real, _), (.text, _), (.blob, _):
      "would be \(kind.noun) by its formula, and is \(type.name)"
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

extension StorageClass {
  fileprivate var noun: String {
    switch self {
    case .null: "NULL"
    case .integer: "an integer"
    case .real: "a real number"
    case .text: "a text"
    case .blob: "bytes"
    }
  }
}
