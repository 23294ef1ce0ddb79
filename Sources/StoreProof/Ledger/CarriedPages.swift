/// The tables whose pages are proven to be the old store's, so that no row of them is read.
package struct CarriedPages: Sendable {
  /// The names of the tables.
  package let tables: Set<String>

  /// The names of the tables and of their indexes whose pages are the old ones.
  let trees: Set<String>

  /// Returns the number of a table's rows, which the walk over its pages has counted.
  let rows: @Sendable (_ table: String) throws -> Int64

  init(
    tables: Set<String>, trees: Set<String>,
    rows: @escaping @Sendable (_ table: String) throws -> Int64
  ) {
    (self.tables, self.trees, self.rows) = (tables, trees, rows)
  }
}
