import Migrations
package import SQLite

/// Linked rows, the parts, whose values become those of the rows with the link, the owners.
package struct InlinedRows: Hashable, Sendable {
  /// A value that an owner has unchanged.
  struct Carried: Hashable, Sendable {
    /// The column of the parts' table.
    let column: String

    /// The column of the target's table.
    let newColumn: String

    /// What the owner has if there is no value; `nil` if that is NULL.
    let missing: Value?
  }

  /// A property of the parts that a step drops before.
  struct Drop: Hashable, Sendable {
    /// The step's name, as `--accept-data-loss` takes it.
    let step: String

    /// The property, as plans name it.
    let object: String
    let column: String

    /// Which values are insignificant, so that dropping them isn't a loss.
    let insignificantValues: InsignificantValues
  }

  /// The step's name, as `--accept-data-loss` takes it.
  package let step: String

  /// The relationship and the entity of the parts, as the step names them.
  package let path: String
  package let object: String

  /// The source's table of the owners, and its column with the key of the part.
  package let ownerTable: String
  package let link: String

  /// The source's numbers of the owners' entities.
  let entityNumbers: Set<Int64>

  /// The source's table of the parts.
  package let table: String

  /// The target's table of the owners.
  package let newTable: String

  /// The columns of the parts that are copied, and those that the target has as they were.
  let columns: [String]
  let carried: [Carried]
  let drops: [Drop]

  /// Whether steps remove owners.
  let losesRows: Bool
}

extension InlinedRows {
  /// How many rows have values of parts.
  package struct Counts: Hashable, Sendable {
    /// The number of parts that an owner links to.
    package let inlined: Int64

    /// The number of owners that share the part of another.
    package let shared: Int64

    /// The number of owners without a part.
    package let empty: Int64

    /// The number of parts that no owner links to.
    package let leftOut: Int64
  }

  /// The columns of the parts whose values are copied.
  package var carriedColumns: Set<String> { Set(columns) }

  private var ownerCondition: String {
    let numbers = entityNumbers.sorted().map(String.init).joined(separator: ", ")
    let staying = losesRows ? " AND \(RowRemovals.staying(in: ownerTable))" : ""
    return "Z_ENT IN (\(numbers))\(staying)"
  }

  /// Counts the rows.
  ///
  /// - Precondition: The keys of removed rows are in their temporary tables.
  package func counts(
    _ connection: borrowing Connection, schema: String
  ) throws(SQLiteError) -> Counts {
    let owners = qualified(ownerTable, in: schema)
    let parts = qualified(table, in: schema)
    let key = "o.\(quoteIdentifier(link))"
    let row =
      try connection.rows(
        """
        SELECT count(*), count(part), count(DISTINCT part), (SELECT count(*) FROM \(parts))
        FROM (SELECT (SELECT p.Z_PK FROM \(parts) AS p WHERE p.Z_PK = \(key)) AS part
          FROM \(owners) AS o NOT INDEXED WHERE \(ownerCondition))
        """
      ).first?.map { $0.int64 ?? 0 } ?? [0, 0, 0, 0]
    return Counts(
      inlined: row[2], shared: row[1] - row[2], empty: row[0] - row[1], leftOut: row[3] - row[2])
  }

  /// Returns the properties that steps drop before, with the numbers of values that are lost.
  package func droppedValues(
    _ connection: borrowing Connection, schema: String
  ) throws(SQLiteError) -> [(step: String, object: String, rows: Int64)] {
    var counts: [(step: String, object: String, rows: Int64)] = []
    for drop in drops {
      var rows: Int64 = 0
      var query = try connection.prepare(
        """
        SELECT \(quoteIdentifier(drop.column)) FROM \(qualified(table, in: schema)) NOT INDEXED
        WHERE \(quoteIdentifier(drop.column)) IS NOT NULL
        """)
      while try query.step() {
        if !drop.insignificantValues.covers(query.value(at: 0)) { rows += 1 }
      }
      if let place = counts.firstIndex(where: { $0.step == drop.step }) {
        counts[place].rows += rows
      } else {
        counts.append((drop.step, drop.object, rows))
      }
    }
    return counts
  }

  /// Returns the queries that count rows for which the new store isn't as the step says.
  ///
  /// - Parameters:
  ///   - schema: The schema of the source.
  ///   - target: Returns the schema of a table of the new store.
  /// - Returns: The queries, each of which gives 0 if the new store is as it must be.
  package func faults(schema: String, target: (String) -> String) -> [String] {
    let numbers = entityNumbers.sorted().map(String.init).joined(separator: ", ")
    return carried.map { value in
      let before = "p.\(quoteIdentifier(value.column))"
      let expected = value.missing.map { "coalesce(\(before), \($0.literal))" } ?? before
      let after = "n.\(quoteIdentifier(value.newColumn))"
      return """
        SELECT count(*) FROM \(qualified(ownerTable, in: schema)) AS o
        JOIN \(qualified(newTable, in: target(newTable))) AS n ON n.Z_PK = o.Z_PK
        LEFT JOIN \(qualified(table, in: schema)) AS p ON p.Z_PK = o.\(quoteIdentifier(link))
        WHERE o.Z_ENT IN (\(numbers))
        AND (\(after) IS NOT \(expected) COLLATE BINARY OR typeof(\(after)) <> typeof(\(expected)))
        """
    }
  }
}
