package import SQLite

extension RelinkedLinks {
  /// How many links stay, and how many don't.
  package struct Counts: Hashable, Sendable {
    /// The number of links that stay.
    package let kept: Int64

    /// The links that a step leaves out, by the step's name, with the relationship's.
    package let leftOut: [LeftOut]
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
    return Counts(
      kept: counts[nil] ?? 0,
      leftOut: choices.enumerated().map {
        LeftOut(step: $1.step, object: $1.object, count: counts[Int64($0)] ?? 0)
      })
  }

  /// Returns the query that counts the links of a place that the new store has unchanged.
  package func unchangedCount(of place: Place, schema: String) -> String {
    """
    SELECT count(*) FROM \(qualified(place.table, in: schema)) NOT INDEXED
    WHERE (\(place.list)) IN (SELECT owner, other FROM \(links) WHERE choice IS NULL)
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
  /// They read the new store, and the old links by the statement that also fills the temporary table,
  /// so a mistake in that statement doesn't show. The temporary table says which links are left out,
  /// and each of these is compared with the one that stays in its place.
  ///
  /// - Parameters:
  ///   - schema: The schema of the source, from which the temporary table is filled.
  ///   - target: Returns the schema of a table of the new store.
  /// - Returns: The queries, each of which gives 0 if the new store is as it must be.
  package func faults(schema: String, target: (String) -> String) -> [String] {
    let old = "SELECT owner, other FROM (\(found))"
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
