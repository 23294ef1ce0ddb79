package import SQLite

/// The links of a relationship that are stored in another way afterwards, and which of them stay.
///
/// The links are in a temporary table, so memory doesn't depend on their number. A line has the
/// keys of two linked rows, `owner` and `other`; the number of each row's entity; the position of each
/// in the order of the other's relationship; the rank of the place where the link was found; and the
/// number of the choice that leaves the link out. Links of rows that steps delete or unite are moved first.
package struct RelinkedLinks: Hashable, Sendable {
  /// The columns of a table that hold links: of the two rows, and of their positions.
  package struct Place: Hashable, Sendable {
    package let table: String

    /// The columns with the keys of the owner and the other row.
    package let keys: [String]

    /// The columns with the positions of the owner and the other row.
    package let positions: [String?]

    /// Whether the table is a join table.
    package let isJoin: Bool
  }

  /// A place of the source.
  package struct Origin: Hashable, Sendable {
    package let place: Place

    /// The index of the key whose row has one link before and after; such links don't move.
    let fixed: Int?

    /// Of links that contradict each other, one with a lower rank stays.
    let rank: Int
  }

  /// A choice of one link for each row.
  struct Choice: Hashable, Sendable {
    /// The step's name, as `--accept-data-loss` takes it.
    let step: String

    /// The relationship, by its names before the step.
    let object: String

    /// Whether each owner keeps one link, not each other row.
    let isOfOwner: Bool
    let order: Order
  }

  /// The order by which a link is chosen; of links that are alike, the one to the lowest key stays.
  enum Order: Hashable, Sendable {
    /// A value of the row that the link leads to, in SQL over its table.
    case value(String, isNewest: Bool)

    /// The position of that row.
    case position
    case rank
  }

  /// A name of the relationship and its inverse, for the temporary table.
  let name: String

  /// The relationship by its name in the source, and by that in the target.
  package let object: String
  package let target: String
  package let origins: [Origin]

  /// The places of the new store with the links that stay.
  package let targets: [Place]

  /// The tables of the owners and the other rows.
  package let tables: [String]

  /// The root entities of those tables.
  let entities: [String]

  /// The source's numbers of entities that the target doesn't have.
  let droppedNumbers: [Int64]

  /// Whether the owners and the other rows get positions that the source doesn't have.
  let makesPositions: [Bool]
  let choices: [Choice]

  /// The rows that steps remove; without removals if there are none.
  let removals: RowRemovals
}

extension RelinkedLinks {
  /// The formulas by which links are chosen.
  var formulas: [RowFormula] {
    choices.compactMap { choice in
      guard case .value(let sql, _) = choice.order else { return nil }
      let index = choice.isOfOwner ? 1 : 0
      let keys = origins.map {
        """
        SELECT \(quoteIdentifier($0.place.keys[index])) \
        FROM \(ComputedColumn.schemaMark).\(quoteIdentifier($0.place.table)) \
        WHERE \(quoteIdentifier($0.place.keys[1 - index])) IS NOT NULL
        """
      }
      return RowFormula(
        sql: sql, table: tables[index],
        condition: "Z_PK IN (\(keys.joined(separator: " UNION ALL ")))", entity: entities[index],
        name: choice.step)
    }
  }
}

// MARK: - The temporary table

extension RelinkedLinks {
  /// Stands for the name of the schema in a table's name, and is in no SQL: NUL isn't.
  static let schemaNameMark = ComputedColumn.schemaMark + ComputedColumn.schemaMark

  /// The temporary table.
  var links: String { "temp.\(linksName)" }

  private var linksName: String { quoted(name) }

  private func quoted(_ name: String) -> String {
    "\"links \(Self.schemaNameMark) \(quoteIdentifier(name).dropFirst())"
  }

  /// Fills the temporary table from the source that is attached as a schema.
  package func prepare(_ connection: borrowing Connection, schema: String) throws(SQLiteError) {
    try connection.prepareFormulas()
    for statement in allPreparation(schema: schema) { try connection.execute(statement) }
  }

  /// Fills the temporary table from tables that are attached as several schemas.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - name: The schema that queries of the links name.
  ///   - schema: Returns the schema of a table.
  /// - Throws: An error of SQLite.
  package func prepare(
    _ connection: borrowing Connection, as name: String, schema: (String) -> String
  ) throws(SQLiteError) {
    for statement in statements {
      let located = sourceTables.reduce(statement) { sql, table in
        sql.replacing(
          "\(ComputedColumn.schemaMark).\(quoteIdentifier(table))",
          with: qualified(table, in: schema(table)))
      }
      try connection.execute(located.inSchema(name))
    }
  }

  /// Returns the statements of ``prepare(_:schema:)``.
  func allPreparation(schema: String) -> [SQLStatement] {
    removals.preparation(schema: schema)
      + statements.map { SQLStatement($0.inSchema(schema)) }
  }

  /// The statements that fill the table, after those of the removals.
  var statements: [String] {
    let index = quoted("\(name) by other")
    return [
      """
      CREATE TABLE IF NOT EXISTS \(links) (owner INTEGER, other INTEGER, \
      ownerNumber INTEGER, otherNumber INTEGER, ownerPosition INTEGER, otherPosition INTEGER, \
      rank INTEGER, choice INTEGER, PRIMARY KEY (owner, other)) WITHOUT ROWID
      """,
      "CREATE INDEX IF NOT EXISTS temp.\(index) ON \(linksName) (other, owner)",
      "DELETE FROM \(links)",
      """
      INSERT INTO \(links)
      SELECT owner, other, ownerNumber, otherNumber, \(position(0)), \(position(1)), rank, NULL
      FROM (SELECT owner, other, ownerNumber, otherNumber, min(ownerPosition) AS ownerPosition,
          min(otherPosition) AS otherPosition, min(rank) AS rank
        FROM (\(found)) GROUP BY owner, other)
      """,
    ] + choices.indices.map(leavingOut)
  }

  /// The links of the source between rows that the target has.
  var found: String {
    let all = origins.map { origin in
      "SELECT c0 AS owner, c1 AS other, c2 AS ownerPosition, c3 AS otherPosition, "
        + "\(origin.rank) AS rank FROM (\(query(of: origin)))"
    }
    let numbers = zip(tables, Self.keys).map { table, key in
      """
      (SELECT Z_ENT FROM \(ComputedColumn.schemaMark).\(quoteIdentifier(table)) \
      WHERE Z_PK = \(key)) AS \(key)Number
      """
    }
    let dropped = droppedNumbers.map(String.init).joined(separator: ", ")
    // The number of a row that doesn't exist is NULL.
    let exist = Self.keys.map { "\($0)Number IS NOT NULL AND \($0)Number NOT IN (\(dropped))" }
    return """
      SELECT * FROM (SELECT *, \(numbers.joined(separator: ", "))
        FROM (\(all.joined(separator: " UNION ALL "))))
      WHERE \(exist.joined(separator: " AND "))
      """
  }

  private func query(of origin: Origin) -> String {
    let place = origin.place
    let moved = MovedLinks(
      removals: removals, tables: tables, orderedBy: [1, 0], fixed: origin.fixed)
    let table = "\(ComputedColumn.schemaMark).\(quoteIdentifier(place.table))"
    return moved.query(place.keys + place.positions, of: table)
  }

  static let keys = ["owner", "other"]

  /// The position of one of the two rows.
  private func position(_ index: Int) -> String {
    let (key, other) = (Self.keys[index], Self.keys[1 - index])
    guard makesPositions[index] else { return "\(key)Position" }
    return "\(RowRemovals.positionStep) * row_number() OVER (PARTITION BY \(other) ORDER BY \(key))"
  }

  /// Returns the statement that marks the links that a choice leaves out.
  private func leavingOut(_ index: Int) -> String {
    let choice = choices[index]
    return """
      UPDATE \(links) SET choice = \(index) WHERE (owner, other) IN (
        SELECT owner, other FROM (SELECT owner, other, row_number() OVER (
            PARTITION BY \(choice.row) ORDER BY \(order(of: choice)), \(choice.linked)) AS place
          FROM \(links) WHERE choice IS NULL)
        WHERE place > 1)
      """
  }

  private func order(of choice: Choice) -> String {
    let direction = if case .value(_, isNewest: true) = choice.order { "DESC" } else { "ASC" }
    return "\(value(of: choice)) \(direction) NULLS LAST"
  }

  /// Returns the value of a link by which it is chosen.
  func value(of choice: Choice, link: String = "") -> String {
    switch choice.order {
    case .position: return "\(link)\(choice.linked)Position"
    case .rank: return "\(link)rank"
    case .value(let sql, _):
      let table = quoteIdentifier(tables[choice.isOfOwner ? 1 : 0])
      return """
        (SELECT \(sql) FROM \(ComputedColumn.schemaMark).\(table) \
        WHERE Z_PK = \(link)\(choice.linked))
        """
    }
  }
}

extension RelinkedLinks.Choice {
  /// The column with the row that keeps one link.
  var row: String { isOfOwner ? "owner" : "other" }

  /// The column with the row that the link leads to.
  var linked: String { isOfOwner ? "other" : "owner" }
}

// MARK: - Reading

extension RelinkedLinks {
  /// Returns the key of the row that a row is linked with, by an expression for its own key.
  func key(isOwner: Bool, of row: String) -> String {
    "(SELECT \(isOwner ? "other" : "owner")\(staying(isOwner, row)))"
  }

  /// Returns the position of a row in the order of the row that it is linked with.
  func position(isOwner: Bool, of row: String) -> String {
    "(SELECT \(isOwner ? "ownerPosition" : "otherPosition")\(staying(isOwner, row)))"
  }

  private func staying(_ isOwner: Bool, _ row: String) -> String {
    " FROM \(links) WHERE \(isOwner ? "owner" : "other") = \(row) AND choice IS NULL"
  }

  /// Returns the number of the entity of the row that a row is linked with.
  func number(isOwner: Bool, of row: String) -> String {
    "(SELECT \(isOwner ? "otherNumber" : "ownerNumber")\(staying(isOwner, row)))"
  }
}

/// The links of a join table whose relationship had its links elsewhere before.
package struct RelinkedJoin: Hashable, Sendable {
  package let links: RelinkedLinks

  /// Whether the first column has the other row's key.
  let isReversed: Bool

  /// Whose positions the further columns have: 0 for the owner, 1 for the other row.
  let positions: [Int]

  /// Returns the query that gives the rows of the table.
  ///
  /// - Precondition: The temporary table is filled from the schema.
  package func query(schema: String) -> String {
    let keys = isReversed ? RelinkedLinks.keys.reversed() : RelinkedLinks.keys
    let columns = keys + positions.map { "\(RelinkedLinks.keys[$0])Position" }
    let list = columns.enumerated().map { "\($1) AS c\($0)" }.joined(separator: ", ")
    return "SELECT \(list) FROM \(links.links) WHERE choice IS NULL".inSchema(schema)
  }
}
