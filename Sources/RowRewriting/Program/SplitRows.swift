package import SQLite

/// Rows of a new entity, the parts, that are made of the rows of another, the owners.
///
/// A part has the key of the row that it is made of. If there is one part for each combination of
/// values, that row is the first with them, and a temporary table has the key of each row's part.
package struct SplitRows: Hashable, Sendable {
  /// A value that a part has unchanged.
  struct Carried: Hashable, Sendable {
    /// The column of the source's table.
    let column: String

    /// The column of the part's table.
    let newColumn: String
  }

  /// The entity of the owners, as the step names it.
  package let object: String

  /// The entity of the parts, in the target.
  package let target: String

  /// The number of that entity.
  let number: Int64

  /// The table that is read.
  package let sourceTable: String

  /// The source's numbers of the owners' entities.
  package let entityNumbers: Set<Int64>

  /// The target's table of the parts.
  package let table: String

  /// The target's table of the owners, and its column with the key of the part.
  package let ownerTable: String
  package let link: String

  /// The values that make rows equal, in SQL; empty if each row has a part of its own.
  let values: [String]

  /// The values that are copied.
  let carried: [Carried]

  /// Whether steps remove rows of the table.
  let losesRows: Bool

  /// The parts' columns with values that are copied.
  package var carriedColumns: Set<String> { Set(carried.map(\.newColumn)) }

  /// The owners' columns with values that are copied.
  package var sourceColumns: Set<String> { Set(carried.map(\.column)) }

  /// Whether there is one part for each combination of values.
  package var isByValue: Bool { !values.isEmpty }
}

extension SplitRows {
  /// The temporary table with the key of each row's part.
  private var keys: String { "temp.\(quoteIdentifier("split \(table)"))" }

  /// The numbers of the owners' entities, as a list of SQL.
  private var numbers: String { entityNumbers.sorted().map(String.init).joined(separator: ", ") }

  /// The condition for rows with a part that stay, over the source's table.
  private var ownerCondition: String {
    let staying = losesRows ? " AND \(RowRemovals.staying(in: sourceTable))" : ""
    return "Z_ENT IN (\(numbers))\(staying)"
  }

  /// The key of a row's part, in SQL; NULL if it has none.
  var key: String {
    guard isByValue else { return "CASE WHEN Z_ENT IN (\(numbers)) THEN Z_PK END" }
    return "(SELECT part FROM \(keys) WHERE key = Z_PK)"
  }

  /// The condition for rows whose key is that of a part; `nil` for all owners.
  var condition: String? { isByValue ? "Z_PK IN (SELECT part FROM \(keys))" : nil }

  /// The statements that fill the temporary table, with ``ComputedColumn/schemaMark``.
  var preparation: [String] {
    guard isByValue else { return [] }
    // Equal values have one storage class: 1 isn't 1.0, and no text is equal to bytes.
    let parts = values.map { "(\($0)) COLLATE BINARY, typeof(\($0))" }.joined(separator: ", ")
    let isEmpty = values.map { "(\($0)) IS NULL" }.joined(separator: " AND ")
    return [
      "CREATE TABLE IF NOT EXISTS \(keys) (key INTEGER PRIMARY KEY, part INTEGER NOT NULL)",
      "DELETE FROM \(keys)",
      """
      INSERT INTO \(keys) SELECT Z_PK, min(Z_PK) OVER (PARTITION BY \(parts))
      FROM \(ComputedColumn.schemaMark).\(quoteIdentifier(sourceTable)) NOT INDEXED
      WHERE \(ownerCondition) AND NOT (\(isEmpty))
      """,
    ]
  }
}

// MARK: - Counts

extension SplitRows {
  /// How many rows have a part.
  package struct Counts: Hashable, Sendable {
    /// The number of parts.
    package let parts: Int64

    /// The number of rows that share the part of a row before them.
    package let shared: Int64

    /// The number of rows without a part.
    package let empty: Int64
  }

  /// Fills the temporary table from the source that is attached as a schema.
  ///
  /// - Precondition: The keys of removed rows are in their temporary tables.
  package func prepare(
    _ connection: borrowing Connection, schema: String
  ) throws(SQLiteError) {
    try connection.prepareFormulas()
    for statement in preparation { try connection.execute(statement.inSchema(schema)) }
  }

  /// Counts the rows that stay.
  ///
  /// - Precondition: The temporary tables are filled.
  package func counts(
    _ connection: borrowing Connection, schema: String
  ) throws(SQLiteError) -> Counts {
    let table = qualified(sourceTable, in: schema)
    let rows =
      try connection.value(
        "SELECT count(*) FROM \(table) NOT INDEXED WHERE \(ownerCondition)")?.int64 ?? 0
    guard isByValue else { return Counts(parts: rows, shared: 0, empty: 0) }
    let linked = try connection.value("SELECT count(*) FROM \(keys)")?.int64 ?? 0
    let parts = try connection.value("SELECT count(DISTINCT part) FROM \(keys)")?.int64 ?? 0
    return Counts(parts: parts, shared: linked - parts, empty: rows - linked)
  }
}

// MARK: - Proof

extension SplitRows {
  /// Returns the queries that count rows for which the new store isn't as the step says.
  ///
  /// They read both stores, and no temporary table of the statements that wrote the new one.
  ///
  /// - Parameters:
  ///   - schema: The schema of the source.
  ///   - target: Returns the schema of a table of the new store.
  /// - Returns: The queries, each of which gives 0 if the new store is as it must be.
  package func faults(schema: String, target: (String) -> String) -> [String] {
    let old = qualified(sourceTable, in: schema)
    let owners = qualified(ownerTable, in: target(ownerTable))
    let parts = qualified(table, in: target(table))
    let link = quoteIdentifier(link)
    let compared = carried.map { value -> String in
      let (before, after) = (
        "o.\(quoteIdentifier(value.column))", "p.\(quoteIdentifier(value.newColumn))"
      )
      return """
        SELECT count(*) FROM \(old) AS o JOIN \(owners) AS n ON n.Z_PK = o.Z_PK
        LEFT JOIN \(parts) AS p ON p.Z_PK = n.\(link) WHERE o.Z_ENT IN (\(numbers))
        AND (\(after) IS NOT \(before) COLLATE BINARY OR typeof(\(after)) <> typeof(\(before)))
        """
    }
    let counted = [
      "SELECT count(*) FROM \(parts) WHERE Z_PK NOT IN (SELECT \(link) FROM \(owners) WHERE \(link) IS NOT NULL)",
      "SELECT count(*) FROM \(owners) WHERE \(link) IS NOT NULL AND \(link) NOT IN (SELECT Z_PK FROM \(parts))",
      "SELECT count(*) FROM \(parts) WHERE Z_ENT IS NOT \(number)",
    ]
    return compared + counted
      + [isByValue ? wrongParts(old, owners, link).inSchema(schema) : sharedParts(owners, link)]
  }

  /// Returns the query that counts rows with equal values and different parts, or the reverse.
  ///
  /// Links and values pair one to one if there are as many pairs as links, and as values.
  private func wrongParts(_ old: String, _ owners: String, _ link: String) -> String {
    let names = values.indices.map { "v\($0)" }
    let selected = zip(values, names).map { "(\($0)) AS \($1)" }.joined(separator: ", ")
    let grouped = names.map { "\($0) COLLATE BINARY, typeof(\($0))" }.joined(separator: ", ")
    let isEmpty = names.map { "\($0) IS NULL" }.joined(separator: " AND ")
    func groups(_ terms: String) -> String {
      "(SELECT count(*) FROM (SELECT 1 FROM linked WHERE NOT (\(isEmpty)) GROUP BY \(terms)))"
    }
    return """
      WITH before AS (SELECT Z_PK AS owner, \(selected) FROM \(old) NOT INDEXED
        WHERE Z_ENT IN (\(numbers))),
      linked AS (SELECT before.*, n.\(link) AS part FROM before JOIN \(owners) AS n ON n.Z_PK = owner)
      SELECT (SELECT count(*) FROM linked WHERE (\(isEmpty)) <> (part IS NULL))
      + abs(\(groups("part, \(grouped)")) - \(groups("part")))
      + abs(\(groups("part, \(grouped)")) - \(groups(grouped)))
      """
  }

  private func sharedParts(_ owners: String, _ link: String) -> String {
    """
    SELECT count(*) FROM (SELECT 1 FROM \(owners) WHERE \(link) IS NOT NULL
      GROUP BY \(link) HAVING count(*) > 1)
    """
  }
}
