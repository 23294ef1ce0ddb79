package import SQLite

extension RelinkedLinks {
  /// How many links stay, and how many don't.
  package struct Counts: Hashable, Sendable {
    /// The number of links that stay.
    package let kept: Int64

    /// The links that a step leaves out, by the step's name, with the relationship's.
    package let leftOut: [LeftOut]

    /// The number of links to rows that don't exist, which are left out, too.
    package let missing: Int64
  }

  /// The links that a step leaves out.
  package struct LeftOut: Hashable, Sendable {
    package let step: String
    package let object: String
    package let count: Int64
  }

  /// Counts the links.
  ///
  /// - Precondition: The temporary table is filled from the schema.
  package func counts(
    _ connection: borrowing Connection, schema: String
  ) throws(SQLiteError) -> Counts {
    var counts: [Int64?: Int64] = [:]
    let rows = try connection.rows(
      "SELECT choice, count(*) FROM \(links) GROUP BY choice".inSchema(schema))
    for row in rows { counts[row[0].int64] = row[1].int64 }
    var missing: Int64 = 0
    for place in origins.map(\.place) {
      missing += try connection.value(missingCount(of: place, schema: schema))?.int64 ?? 0
    }
    return Counts(
      kept: counts[nil] ?? 0,
      leftOut: choices.enumerated().map {
        LeftOut(step: $1.step, object: $1.object, count: counts[Int64($0)] ?? 0)
      }, missing: missing)
  }

  /// Returns the query that counts the links of a place to or from rows that don't exist.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - column: A column whose rows without a value count, too.
  ///   - schema: The schema of the source.
  /// - Returns: The query.
  package func missingCount(
    of place: Place, orEmpty column: String? = nil, schema: String
  ) -> String {
    let keys = place.keys.map { "place.\(quoteIdentifier($0))" }
    let missing = [0, 1].map { index in
      let table = "\(ComputedColumn.schemaMark).\(quoteIdentifier(tables[index]))"
      return "\(keys[index]) NOT IN (SELECT Z_PK FROM \(table))"
    }
    let isEmpty = column.map { " OR place.\(quoteIdentifier($0)) IS NULL" } ?? ""
    return """
      SELECT count(*) FROM \(qualified(place.table, in: schema)) AS place NOT INDEXED
      WHERE \(keys[0]) IS NOT NULL AND \(keys[1]) IS NOT NULL
        AND (\(missing.joined(separator: " OR ")))\(isEmpty)
      """.inSchema(schema)
  }

  /// Returns the query that counts the links of a place that the new store has unchanged.
  package func unchangedCount(of place: Place, schema: String) -> String {
    """
    SELECT count(*) FROM \(qualified(place.table, in: schema)) NOT INDEXED
    WHERE (\(place.list)) IN (SELECT owner, other FROM \(links) WHERE choice IS NULL)
    """.inSchema(schema)
  }

  /// Returns the query that counts the rows of a place without a link that stays where it was.
  ///
  /// These have no link, or one that a choice leaves out, or one to or from a row that goes.
  package func setAsideCount(of place: Place, schema: String) -> String {
    let keys = place.keys.map { "place.\(quoteIdentifier($0))" }
    let dropped = droppedNumbers.map(String.init).joined(separator: ", ")
    let gone = [0, 1].map { index in
      let table = "\(ComputedColumn.schemaMark).\(quoteIdentifier(tables[index]))"
      let removed =
        removals.tables.contains(tables[index])
        ? " OR \(keys[index]) IN (SELECT key FROM \(RowRemovals.keys(of: tables[index])))" : ""
      return """
        \(keys[index]) NOT IN (SELECT Z_PK FROM \(table) WHERE Z_ENT NOT IN (\(dropped)))\(removed)
        """
    }
    return """
      SELECT count(*) FROM \(qualified(place.table, in: schema)) AS place NOT INDEXED
      WHERE \(keys[0]) IS NULL OR \(keys[1]) IS NULL OR \(gone.joined(separator: " OR ")) OR EXISTS (
        SELECT 1 FROM \(links) WHERE (owner, other) = (\(keys.joined(separator: ", ")))
        AND choice IS NOT NULL)
      """.inSchema(schema)
  }

  /// The columns of the source that the links are read from, by table.
  package func sourceColumns(of table: String) -> Set<String> {
    Set(
      origins.filter { $0.place.table == table }.flatMap { origin in
        origin.place.keys + origin.place.positions.compactMap(\.self)
      })
  }

  /// The tables of the source that the links, or the choice of links, depend on.
  package var sourceTables: Set<String> { Set(origins.map(\.place.table) + tables) }
}

extension RelinkedLinks.Place {
  /// The keys, in SQL.
  var list: String { keys.map(quoteIdentifier).joined(separator: ", ") }

  /// Returns the query for the links of a place.
  func query(schema: String) -> String {
    let links = keys.map { "\(quoteIdentifier($0)) IS NOT NULL" }.joined(separator: " AND ")
    return "SELECT \(list) FROM \(qualified(table, in: schema)) NOT INDEXED WHERE \(links)"
  }
}

// MARK: - Proof

extension RelinkedLinks {
  /// Returns the queries that count links for which the new store isn't as the steps say.
  ///
  /// They read the new store, and the links of the old one by statements of their own. The temporary
  /// table says which links are left out, and each of these is compared with the one that stays in
  /// its place.
  ///
  /// - Parameters:
  ///   - schema: The schema of the source, from which the temporary table is filled.
  ///   - target: Returns the schema of a table of the new store.
  /// - Returns: The queries, each of which gives 0 if the new store is as it must be.
  package func faults(schema: String, target: (String) -> String) -> [String] {
    let old = oldLinks
    let leftOut = "SELECT owner, other FROM \(links) WHERE choice IS NOT NULL"
    let compared = targets.flatMap { place -> [String] in
      let new = place.query(schema: target(place.table))
      return [
        "SELECT count(*) FROM (\(new) EXCEPT \(old))",
        "SELECT count(*) FROM (\(old) EXCEPT \(leftOut) EXCEPT \(new))",
        "SELECT count(*) FROM (\(new) INTERSECT \(leftOut))",
      ]
    }
    return (compared + choices.indices.flatMap(faults(ofChoice:))).map { $0.inSchema(schema) }
  }

  /// The pairs of rows that the source links, where the removed rows lead now, in SQL.
  private var oldLinks: String {
    let schema = ComputedColumn.schemaMark
    let links = origins.map { origin in
      let place = origin.place
      let present = [0, 1].map { index in
        let key = "link.\(quoteIdentifier(place.keys[index]))"
        guard removals.tables.contains(tables[index]) else { return key }
        let target = origin.fixed == index ? "NULL" : "gone\(index).target"
        return "iif(gone\(index).key IS NULL, \(key), \(target))"
      }
      let gone = [0, 1].filter { removals.tables.contains(tables[$0]) }.map { index in
        """
        LEFT JOIN \(RowRemovals.keys(of: tables[index])) AS gone\(index) \
        ON gone\(index).key = link.\(quoteIdentifier(place.keys[index]))
        """
      }
      let isSelf = "link.\(quoteIdentifier(place.keys[0])) = link.\(quoteIdentifier(place.keys[1]))"
      return """
        SELECT \(present[0]) AS owner, \(present[1]) AS other, \(isSelf) AS isSelf
        FROM \(schema).\(quoteIdentifier(place.table)) AS link \(gone.joined(separator: " "))
        """
    }
    let dropped = droppedNumbers.map(String.init).joined(separator: ", ")
    let rows = [0, 1].map { index in
      """
      JOIN \(schema).\(quoteIdentifier(tables[index])) AS row\(index) \
      ON row\(index).Z_PK = \(Self.keys[index]) AND row\(index).Z_ENT NOT IN (\(dropped))
      """
    }
    let isOther = tables[0] == tables[1] ? " WHERE owner <> other OR isSelf" : ""
    return """
      SELECT owner, other FROM (\(links.joined(separator: " UNION ALL "))) \
      \(rows.joined(separator: " "))\(isOther)
      """
  }

  private func faults(ofChoice index: Int) -> [String] {
    let choice = choices[index]
    let stays = "(choice IS NULL OR choice > \(index))"
    let (won, lost) = (value(of: choice, link: "won."), value(of: choice, link: "lost."))
    let isNewest = if case .value(_, isNewest: true) = choice.order { true } else { false }
    return [
      """
      SELECT count(*) FROM \(links) AS lost WHERE lost.choice = \(index) AND NOT EXISTS (
        SELECT 1 FROM \(links) AS won
        WHERE won.\(choice.row) = lost.\(choice.row) AND (won.choice IS NULL OR won.choice > \(index))
        AND coalesce(\(won) \(isNewest ? ">" : "<") \(lost)
          OR \(lost) IS NULL AND \(won) IS NOT NULL
          OR \(won) IS \(lost) AND won.\(choice.linked) < lost.\(choice.linked), 0))
      """,
      """
      SELECT count(*) FROM (SELECT 1 FROM \(links) WHERE \(stays)
        GROUP BY \(choice.row) HAVING count(*) > 1)
      """,
    ]
  }
}
