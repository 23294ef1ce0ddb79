import Migrations
package import SQLite

extension Connection {
  /// Defines the functions of formulas, and limits what formulas can make.
  ///
  /// A formula is as little trusted as the file that states it: `printf` makes a gigabyte of one
  /// row. No value of the attached files is larger than they are, and a conversion of one is at most
  /// twice as large.
  package func prepareFormulas() throws(SQLiteError) {
    try define(NewUUIDFunction.both + FormulaFunctions.all)
    var size: Int64 = 0
    for schema in try rows("PRAGMA database_list").compactMap({ $0[1].string }) {
      size += try self.size(of: schema)
    }
    limitValues(to: max(Self.formulaLimit, 2 * size))
  }

  /// The number of bytes that the result of a formula may have in any store.
  private static let formulaLimit: Int64 = 256 << 20
}
