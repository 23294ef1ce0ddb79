/// The tables whose pages are proven to be the old store's, so that no row of them is read.
package struct CarriedPages: Sendable {
  /// The names of the tables.
  let tables: Set<String>

  /// Returns the number of a table's rows, which the walk over its pages has counted.
  let rows: @Sendable (_ table: String) throws -> Int64

  package init(tables: Set<String>, rows: @escaping @Sendable (_ table: String) throws -> Int64) {
    (self.tables, self.rows) = (tables, rows)
  }
}
