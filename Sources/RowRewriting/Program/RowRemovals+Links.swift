import SQLite
package import StoreFormat

extension RowRemovals {
  /// Returns the key that a link leads to now, by an SQL expression for its key before.
  ///
  /// A link to a removed row leads to its target, or is NULL. Where the target is the row itself,
  /// the link is NULL too: two rows that were linked became one.
  ///
  /// - Parameters:
  ///   - key: The expression.
  ///   - table: The table of the row that it leads to.
  ///   - own: The key of the row that has the link if it is in the same table.
  /// - Returns: The expression; the given one if the table loses no rows.
  package func link(_ key: String, to table: String, from own: String? = nil) -> String {
    guard tables.contains(table) else { return key }
    let keys = Self.keys(of: table)
    let target = "(SELECT target FROM \(keys) WHERE key = \(key))"
    return """
      CASE WHEN \(key) IN (SELECT key FROM \(keys)) \
      THEN \(own.map { "nullif(\(target), \($0))" } ?? target) ELSE \(key) END
      """
  }

  /// Returns the place of a linked row among those with its winner; 0 for a row that stays.
  func place(of key: String, in table: String) -> String {
    guard tables.contains(table) else { return "0" }
    return "coalesce((SELECT place FROM \(Self.keys(of: table)) WHERE key = \(key)), 0)"
  }

  /// Returns the condition for a row that took over links.
  static func tookLinks(_ key: String, in table: String) -> String {
    "\(key) IN (SELECT target FROM \(keys(of: table)) WHERE target IS NOT NULL)"
  }

  /// The difference of two neighbouring positions in an ordered relationship (`StoreFormat.md` §6.5).
  static let positionStep = 1024
}

/// The links of a join table, some of which lead to rows that steps remove.
package struct MovedLinks: Hashable, Sendable {
  package let removals: RowRemovals

  /// The source's tables with the rows of the first two columns.
  let tables: [String]

  /// Returns the query that gives the table's rows, without doubles, by their columns in the source.
  ///
  /// Of two links that become one, that of the row that stays has the position. Where a row took
  /// over links, they come after its own, in the order that they had.
  ///
  /// - Parameters:
  ///   - columns: The columns of the two keys, then those of positions; `nil` for NULL.
  ///   - table: The table, in SQL.
  /// - Returns: A SELECT.
  func query(_ columns: [String?], of table: String) -> String {
    let names = columns.map { $0.map(quoteIdentifier) ?? "NULL" }
    let links = tables.indices.map { link(names[$0], at: $0) }
    let places = tables.indices.map { removals.place(of: names[$0], in: tables[$0]) }
    let rest = names.dropFirst(2).enumerated().map { "\($1) AS c\($0 + 2)" }
    // A row isn't linked with itself because it was linked with one that it was united with.
    let isOther = tables[0] == tables[1] ? " AND (c0 <> c1 OR k0 = k1)" : ""
    let list =
      ["\(names[0]) AS k0", "\(names[1]) AS k1", "\(links[0]) AS c0", "\(links[1]) AS c1"]
      + ["\(places[0]) AS p0", "\(places[1]) AS p1"] + rest
    return """
      SELECT c0, c1\(positions(columns).map { ", \($0)" }.joined()) FROM (
        SELECT *, row_number() OVER (PARTITION BY c0, c1 ORDER BY p0, p1, k0, k1) AS double
        FROM (SELECT \(list.joined(separator: ", ")) FROM \(table) NOT INDEXED)
        WHERE c0 IS NOT NULL AND c1 IS NOT NULL\(isOther))
      WHERE double = 1
      """
  }

  /// Returns the key that one of the first two columns has now.
  private func link(_ name: String, at place: Int) -> String {
    guard place == fixed, removals.tables.contains(tables[place]) else {
      return removals.link(name, to: tables[place])
    }
    return
      "CASE WHEN \(name) NOT IN (SELECT key FROM \(RowRemovals.keys(of: tables[place]))) THEN \(name) END"
  }

  /// Returns queries that count all links of the source, and those that lead where they led.
  package func counts(
    _ columns: [String?], of table: String, schema: String
  ) -> (all: String, unchanged: String) {
    let count = "SELECT count(*) FROM \(qualified(table, in: schema)) NOT INDEXED"
    let stays = tables.indices.filter { removals.tables.contains(tables[$0]) }.map { place in
      let name = columns[place].map(quoteIdentifier) ?? "NULL"
      return "\(name) NOT IN (SELECT key FROM \(RowRemovals.keys(of: tables[place])))"
    }
    return (count, "\(count) WHERE \(stays.joined(separator: " AND "))")
  }

  /// The expressions for the columns with positions; the owner of a position is the other row.
  private func positions(_ columns: [String?]) -> [String] {
    // With one such column, it is that of the side that has one; with two, they are in order.
    columns.indices.dropFirst(2).map { place in
      let owner = orderedBy[place - 2]
      guard removals.movesLinks(to: tables[owner]) else { return "c\(place)" }
      return """
        CASE WHEN \(RowRemovals.tookLinks("c\(owner)", in: tables[owner])) \
        THEN \(RowRemovals.positionStep) * row_number() OVER (
          PARTITION BY c\(owner) ORDER BY p\(owner), k\(owner), c\(place), c\(1 - owner)) \
        ELSE c\(place) END AS c\(place)
        """
    }
  }

  /// Returns the links of an old store, without those whose present form was removed since.
  ///
  /// - Parameters:
  ///   - links: A query of the old links, by the columns of their table.
  ///   - removed: A query of the links that were removed, as the migration had moved them.
  ///   - table: The table of the old links.
  /// - Returns: A query of links.
  package func unmoved(
    _ links: String, without removed: String, _ table: JoinTable
  ) -> String {
    let keys = [table.first.keyColumn, table.second.keyColumn].map(quoteIdentifier)
    // A link that the migration left out wasn't removed since; no row has the key 0.
    let moved = tables.indices.map { "coalesce(\(removals.link(keys[$0], to: tables[$0])), 0)" }
    let names = table.columnNames.indices.map { "NULL AS c\($0)" }.joined(separator: ", ")
    return """
      SELECT * FROM (\(links)) WHERE (\(moved.joined(separator: ", "))) NOT IN (
        SELECT c0, c1 FROM (SELECT \(names) WHERE 0 UNION ALL SELECT * FROM (\(removed))))
      """
  }

  /// For each column with positions, the index of the column with the row that has the order.
  let orderedBy: [Int]

  /// The index of the column whose rows have one link each, which doesn't move with the row.
  var fixed: Int?
}

extension MovedLinks {
  /// Returns where links of a table of the source lead; `nil` if they lead to no removed row.
  package init?(_ removals: RowRemovals, of table: JoinTable, in layout: StoreLayout) {
    let tables = [table.first, table.second].compactMap { layout.table(of: $0.entity)?.name }
    guard tables.count == 2, !removals.tables.isDisjoint(with: tables) else { return nil }
    self.init(removals: removals, tables: tables, orderedBy: [])
  }
}

extension JoinProgram {
  /// Returns the query that gives the rows of the target's table, in its columns' order.
  package func query(schema: String) -> String? {
    if let relinked { return relinked.query(schema: schema) }
    guard let table = sourceTable else { return nil }
    if let moved { return moved.query(sourceColumns, of: qualified(table, in: schema)) }
    let columns = sourceColumns.map { $0.map(quoteIdentifier) ?? "NULL" }
    return "SELECT \(columns.joined(separator: ", ")) FROM \(qualified(table, in: schema))"
  }
}
