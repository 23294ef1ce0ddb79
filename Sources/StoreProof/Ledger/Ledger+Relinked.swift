import RowRewriting
import SQLite
import StoreFormat
import StoreModel

/// Links that are stored in another way in the new store.
extension Ledger {
  /// Checks that the new store has the links that stay and no others, and counts those of the old.
  func compareRelinked(
    _ links: RelinkedLinks, _ connection: borrowing Connection, _ result: inout Result
  ) throws {
    try links.prepare(connection, schema: sourceSchema)
    let queries = links.faults(schema: sourceSchema, target: targetSchema)
    result.findings += try faults(queries, connection) {
      "'\(links.object)' isn't relinked as the steps say for \(counted($0, "link", "links"))"
    }
    for origin in links.origins {
      result.entries += try entries(for: origin.place, of: links, connection)
    }
  }

  /// Compares a join table with the links that stay, including their positions.
  func compare(
    _ relinked: RelinkedJoin, in table: JoinTable, _ connection: borrowing Connection,
    _ result: inout Result
  ) throws {
    try relinked.links.prepare(connection, schema: sourceSchema)
    let names = table.columnNames.map(quoteIdentifier).joined(separator: ", ")
    let new = "SELECT \(names) FROM \(qualified(table.name, in: targetSchema(table.name)))"
    let sets = RowSets(base: relinked.query(schema: sourceSchema), present: new)
    let change = try sets.change(of: table.name, connection)
    guard change.added + change.removed > 0 else { return }
    result.findings.append(
      Finding(
        .ledger,
        "'\(table.name)' differs from the expected links in \(change.added + change.removed) rows"))
  }

  /// Returns the entries of the columns that had the links.
  private func entries(
    for place: RelinkedLinks.Place, of links: RelinkedLinks, _ connection: borrowing Connection
  ) throws -> [LedgerEntry] {
    let table = qualified(place.table, in: sourceSchema)
    func count(_ query: String) throws -> Int64 { try connection.value(query)?.int64 ?? 0 }
    let rows = try count("SELECT count(*) FROM \(table) NOT INDEXED")
    let kept = try count(links.unchangedCount(of: place, schema: sourceSchema))
    let setAside = try count(links.setAsideCount(of: place, schema: sourceSchema))
    let columns = place.keys + (place.isJoin ? place.positions.compactMap(\.self) : [])
    return try columns.filter { $0 != "Z_PK" }.map { column in
      var entry = entry(for: column, of: place.table)
      // A link to a row that doesn't exist leads nowhere.
      let empty = try count(links.missingCount(of: place, orEmpty: column, schema: sourceSchema))
      (entry.rows, entry.converted) = (rows, kept)
      entry.setAside = setAside
      entry.setAsideEmpty = min(empty, setAside)
      return entry
    }
  }
}
