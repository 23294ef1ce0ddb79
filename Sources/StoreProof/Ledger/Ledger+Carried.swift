extension Ledger {
  /// Accounts for a table whose pages are the old store's: every value is identical.
  ///
  /// Its rows aren't in the content hash either: they are those of the snapshot.
  func countCarried(
    _ name: String, _ columns: [String], _ pages: CarriedPages, _ result: inout Result
  ) throws {
    let count = try pages.rows(name)
    result.entries += columns.map {
      var entry = entry(for: $0, of: name)
      (entry.rows, entry.identical) = (count, count)
      return entry
    }
  }
}
