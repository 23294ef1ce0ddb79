package import SQLite

/// The rows that steps remove one by one, and what becomes of the links to them.
///
/// The keys are in temporary tables, one for each table that loses rows, so memory doesn't depend
/// on their number. A line has the key of a removed row, the number of the step, the key of the row
/// that it was united with (`winner`), that of the row to which links to it lead now (`target`), and
/// its place among those with the same winner.
package struct RowRemovals: Hashable, Sendable {
  /// The rows that one step removes.
  package struct Removal: Hashable, Sendable {
    /// The index of the step among the lineage's.
    package let place: Int

    /// The step's name, as `--accept-data-loss` takes it.
    package let step: String

    /// The entity, as the step names it.
    package let object: String

    /// The source's table.
    package let table: String

    /// The source's numbers of the entities whose rows are concerned.
    package let entityNumbers: Set<Int64>
    let rule: Rule

    /// What becomes of the rows, as plans call it: `deleted` or `united`.
    package var className: String {
      switch rule {
      case .deleted: "deleted"
      case .united: "united"
      }
    }
  }

  /// Which rows a step removes, in SQL over the source's table.
  enum Rule: Hashable, Sendable {
    case deleted(condition: String)
    case united(EqualRows)
  }

  /// Rows of which one stays.
  struct EqualRows: Hashable, Sendable {
    /// The values that are equal, in SQL.
    let parts: [String]

    /// The value by which the row that stays is chosen; NULL if it is the key alone.
    let order: String
    let isNewest: Bool

    /// The collation of the parts.
    let collation: String

    /// Whether links to removed rows lead to the row that stays.
    let movesLinks: Bool
  }

  /// The steps, in order.
  package let removals: [Removal]

  /// The tables that lose rows.
  package var tables: Set<String> { Set(removals.map(\.table)) }

  /// Returns whether rows of a table are united with others, which take over their links.
  func movesLinks(to table: String) -> Bool {
    removals.contains { removal in
      guard removal.table == table, case .united(let rows) = removal.rule else { return false }
      return rows.movesLinks
    }
  }
}

// MARK: - The keys

extension RowRemovals {
  /// Returns the temporary table with the removed rows of a table.
  package static func keys(of table: String) -> String {
    "temp.\(quoteIdentifier("removed \(table)"))"
  }

  /// Returns the condition for rows of a table that stay.
  package static func staying(in table: String) -> String {
    "Z_PK NOT IN (SELECT key FROM \(keys(of: table)))"
  }

  /// Fills the temporary tables from the source that is attached as a schema.
  package func prepare(
    _ connection: borrowing Connection, schema: String
  ) throws(SQLiteError) {
    try connection.prepareFormulas()
    for statement in preparation(schema: schema) { try connection.execute(statement) }
  }

  /// Returns the statements of ``prepare(_:schema:)``.
  package func preparation(schema: String) -> [SQLStatement] {
    let created = tables.sorted().flatMap { table in
      [
        // A table can't be dropped while a statement reads another one.
        SQLStatement(
          """
          CREATE TABLE IF NOT EXISTS \(Self.keys(of: table)) \
          (key INTEGER PRIMARY KEY, step INTEGER, winner INTEGER, target INTEGER, place INTEGER)
          """),
        SQLStatement("DELETE FROM \(Self.keys(of: table))"),
      ]
    }
    return created
      + removals.flatMap { removal in
        [
          SQLStatement(removal.insertion.inSchema(schema)),
          // What led to a row that this step removes leads to that row's target.
          SQLStatement(
            """
            UPDATE \(Self.keys(of: removal.table)) AS old SET target = (
              SELECT target FROM \(Self.keys(of: removal.table)) WHERE key = old.target)
            WHERE target IN (
              SELECT key FROM \(Self.keys(of: removal.table)) WHERE step = \(removal.place))
            """),
        ]
      }
  }

  /// Returns the number of rows that a step found, which no earlier step removed.
  ///
  /// - Precondition: The temporary tables are filled from the same schema.
  package func count(
    concernedBy removal: Removal, _ connection: borrowing Connection, schema: String
  ) throws(SQLiteError) -> Int64 {
    let earlier = "SELECT key FROM \(Self.keys(of: removal.table)) WHERE step < \(removal.place)"
    return try connection.value(
      "SELECT count(*) \(removal.selection) AND Z_PK NOT IN (\(earlier))".inSchema(schema))?
      .int64 ?? 0
  }

  /// Returns the number of rows that each step removes, by the index of the step.
  ///
  /// - Precondition: The temporary tables are filled.
  package func counts(_ connection: borrowing Connection) throws(SQLiteError) -> [Int: Int64] {
    var counts: [Int: Int64] = [:]
    for table in tables {
      let rows = try connection.rows(
        "SELECT step, count(*) FROM \(Self.keys(of: table)) GROUP BY step")
      for row in rows { counts[Int(row[0].int64 ?? 0)] = row[1].int64 }
    }
    return counts
  }
}

extension RowRemovals.EqualRows {
  /// The names of the parts in queries.
  var names: [String] { parts.indices.map { "part\($0)" } }

  /// The parts by their names, after the order's `value`.
  var columns: String {
    (["\(order) AS value"] + zip(parts, names).map { "\($0) AS \($1)" }).joined(separator: ", ")
  }

  /// The parts by which rows are grouped.
  var groups: String { names.map { "\($0) COLLATE \(collation)" }.joined(separator: ", ") }

  /// The condition that no part is NULL, which equals nothing.
  var isComplete: String { names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ") }
}

extension RowRemovals.Removal {
  /// The rows that the step concerns: those of its entities that stayed so far.
  var selection: String {
    let numbers = entityNumbers.sorted().map(String.init).joined(separator: ", ")
    return """
      FROM \(ComputedColumn.schemaMark).\(quoteIdentifier(table)) NOT INDEXED \
      WHERE Z_ENT IN (\(numbers))
      """
  }

  /// The statement that adds the keys of the rows that the step removes.
  fileprivate var insertion: String {
    let keys = RowRemovals.keys(of: table)
    let staying = RowRemovals.staying(in: table)
    switch rule {
    case .deleted(let condition):
      return """
        INSERT INTO \(keys) (key, step)
        SELECT Z_PK, \(place) \(selection) AND \(staying) AND \(condition)
        """
    case .united(let rows):
      return """
        INSERT INTO \(keys) (key, step, winner, target, place)
        SELECT key, \(place), winner, \(rows.movesLinks ? "winner" : "NULL"), place FROM (
          SELECT key, first_value(key) OVER alike AS winner, row_number() OVER alike AS place
          FROM (SELECT Z_PK AS key, Z_ENT AS entity, \(rows.columns)
            \(selection) AND \(staying))
          WHERE \(rows.isComplete)
          WINDOW alike AS (PARTITION BY entity, \(rows.groups)
            ORDER BY value \(rows.isNewest ? "DESC" : "ASC") NULLS LAST, key))
        WHERE place > 1
        """
    }
  }
}

extension String {
  /// Returns the SQL with a schema in place of the marks.
  ///
  /// ``ComputedColumn/schemaMark`` stands for the schema, ``RelinkedLinks/schemaNameMark`` for its
  /// name as a part of another one. The latter has the former twice, so it is replaced first.
  func inSchema(_ schema: String) -> String {
    replacing(
      RelinkedLinks.schemaNameMark, with: quoteIdentifier(schema).dropFirst().dropLast()
    )
    .replacing(ComputedColumn.schemaMark, with: quoteIdentifier(schema))
  }
}
