import SQLite
import StoreFormat

extension Ledger {
  /// Accounts for a table whose pages are the old store's: every value is identical.
  ///
  /// The rows are read for the content hash. Those of a table that isn't in it are only counted.
  func countCarried(
    _ name: String, _ columns: [String], _ connection: borrowing Connection,
    _ result: inout Result
  ) throws {
    let table = qualified(name, in: sourceSchema)
    var count: Int64 = 0
    if let places = contentPlaces(of: name, in: columns) {
      let names = columns.map(quoteIdentifier).joined(separator: ", ")
      // The orders of the content hash: by key, or by both keys of a link.
      let order = columns.first == "Z_PK" ? "Z_PK" : "1, 2"
      var digest = OptionalDigest(places)
      var rows = try connection.prepare(
        "SELECT \(names) FROM \(table) ORDER BY \(order)", isPersistent: true)
      while try rows.step() {
        digest.add(rows)
        count += 1
      }
      let value = digest.finish()
      result.digests.old[name] = value
      result.digests.new[name] = value
    } else {
      count = try connection.value("SELECT count(*) FROM \(table)")?.int64 ?? 0
    }
    result.entries += columns.map {
      var entry = entry(for: $0, of: name)
      (entry.rows, entry.identical) = (count, count)
      return entry
    }
  }
}
