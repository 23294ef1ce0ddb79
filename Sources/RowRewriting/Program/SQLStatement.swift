package import SQLite

/// An SQL statement, with the values of its parameters.
package struct SQLStatement: Hashable, Sendable {
  package let text: String

  /// The values of `?1`, `?2` and so on.
  package let values: [Value]

  package init(_ text: String, _ values: [Value] = []) { (self.text, self.values) = (text, values) }
}

extension Connection {
  /// Runs a statement that returns no rows.
  package func execute(_ statement: SQLStatement) throws(SQLiteError) {
    try execute(statement.text, statement.values)
  }
}
