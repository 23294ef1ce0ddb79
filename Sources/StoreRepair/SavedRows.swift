/// What was saved of a store with damaged pages.
struct SavedRows: Hashable {
  /// The damaged tables.
  var tables: [SalvagedTable] = []

  /// The tables that SQLite reads without an error, before their rows are counted.
  var intact: [SalvagedTable] = []

  /// The number of rows on pages that nothing leads to, and that no table or several can have.
  var unplaced: Int64 = 0
}
