package import SQLite
import StoreModel

/// A column with the keys of other rows.
private struct Link {
  /// The column.
  let column: String

  /// The column with the entity numbers of those rows, or `nil` if there isn't one.
  let entityColumn: String?

  /// The entity of those rows.
  let destination: String

  /// The numbers of the entities that those rows may have; `nil` for all of their table.
  let entityNumbers: ClosedRange<Int>?

  /// The name of the relationship in findings.
  let relationship: String

  /// Whether those rows are the relationship's sources, not its destinations.
  let isBackward: Bool

  /// The part of the relationship whose row is missing if the key has no row.
  var missingRow: String { isBackward ? "source row" : "destination row" }
}

extension RowCheck {
  /// Reports links to missing rows as warnings, because real stores have some.
  func linkFindings(
    of table: Table, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for link in table.columns.compactMap({ link($0, of: table) }) where !isKept(link, table.name) {
      findings += try self.findings(of: link, in: table.name, connection)
    }
    return findings
  }

  /// Reports the links of a join table, in which each side's column has the keys of its own rows.
  func linkFindings(
    of table: JoinTable, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for link in links(of: table) where !isKept(link, table.name) {
      findings += try self.findings(of: link, in: table.name, connection)
    }
    return findings
  }

  /// Returns whether neither the links nor the rows that they lead to can have changed.
  private func isKept(_ link: Link, _ table: String) -> Bool {
    guard let kept, let target = layout.table(of: link.destination) else { return false }
    return kept.rules.contains(rule(of: link, in: table))
      && kept.tables.isSuperset(of: [table, target.name])
  }

  /// Returns what a table's links are checked by, in a form that two models can be compared by.
  func linkRules(of table: Table) -> [KeptRules.Rule] {
    table.columns.compactMap { link($0, of: table) }.map { rule(of: $0, in: table.name) }
  }

  /// Returns what a join table's links are checked by.
  func linkRules(of table: JoinTable) -> [KeptRules.Rule] {
    links(of: table).map { rule(of: $0, in: table.name) }
  }

  private func rule(of link: Link, in table: String) -> KeptRules.Rule {
    KeptRules.Rule(
      table: table,
      words: [link.column, link.entityColumn, layout.table(of: link.destination)?.name]
        + (link.entityNumbers.map { ["\($0)"] } ?? []))
  }

  /// Returns the numbers of an entity and its sub-entities; `nil` if its table has no others.
  private func entityNumbers(of entity: String) -> ClosedRange<Int>? {
    layout.numbering.root(of: entity) == entity ? nil : layout.numbering.numbers(below: entity)
  }

  private func links(of table: JoinTable) -> [Link] {
    [table.first, table.second].map { side in
      Link(
        column: side.keyColumn, entityColumn: nil, destination: side.entity,
        entityNumbers: entityNumbers(of: side.entity),
        relationship: "\(side.entity).\(side.relationship)", isBackward: true)
    }
  }

  /// Finds links to missing rows that an earlier state of the store didn't have.
  ///
  /// - Parameters:
  ///   - base: A closure that returns the schema of a table's earlier state, which has the same
  ///     model.
  ///   - connection: The connection.
  /// - Returns: A failure for each relationship with such links.
  /// - Throws: A ``SQLiteError`` if a table can't be read.
  package func newDanglingLinks(
    since base: (String) -> String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for table in layout.tables where store.isComplete(table) {
      for link in table.columns.compactMap({ link($0, of: table) }) {
        findings += try newDangling(
          link, in: table.name, keys: ["Z_PK", link.column], since: base, connection)
      }
    }
    for table in layout.joinTables where store.isComplete(table) {
      for link in links(of: table) {
        findings += try newDangling(
          link, in: table.name, keys: [table.first.keyColumn, table.second.keyColumn], since: base,
          connection)
      }
    }
    return findings
  }

  private func newDangling(
    _ link: Link, in table: String, keys: [String], since base: (String) -> String,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    guard let target = layout.table(of: link.destination), store.isComplete(target) else {
      return []
    }
    let column = quoteIdentifier(link.column)
    let (old, oldTarget) = (
      qualified(table, in: base(table)), qualified(target.name, in: base(target.name))
    )
    let isSame = keys.map(quoteIdentifier).map { "old.\($0) = link.\($0)" }
      .joined(separator: " AND ")
    let count =
      try connection.value(
        """
        SELECT count(*) FROM \(name(table)) AS link WHERE link.\(column) IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM \(name(target.name)) AS target
          WHERE target.Z_PK = link.\(column))
        AND NOT EXISTS (SELECT 1 FROM \(old) AS old WHERE \(isSame)
          AND NOT EXISTS (SELECT 1 FROM \(oldTarget) AS target WHERE target.Z_PK = old.\(column)))
        """)?.int64 ?? 0
    if count == 0 { return [] }
    let verb = count == 1 ? "has" : "have"
    return [
      Finding(
        .links,
        """
        \(counted(count, "link", "links")) of '\(link.relationship)' \(verb) \
        no \(link.missingRow), but had one when the store was migrated
        """, about: [link.relationship])
    ]
  }

  private func link(_ column: Column, of table: Table) -> Link? {
    model.link(in: column).map { relationship, entity in
      var numbers: Column?
      if case .foreignKey(let entity, let name) = column.content {
        numbers = table.column(.entityKey(entity: entity, relationship: name))
      }
      let isBackward = if case .inverselessKey = column.content { true } else { false }
      return Link(
        column: column.name, entityColumn: numbers?.name, destination: entity,
        entityNumbers: entityNumbers(of: entity), relationship: relationship,
        isBackward: isBackward)
    }
  }

  private func findings(
    of link: Link, in table: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    guard let target = layout.table(of: link.destination), store.isComplete(target) else {
      return []
    }
    var findings: [Finding] = []
    func report(
      _ number: Int64, _ one: String, _ many: String, _ severity: Finding.Severity = .failure
    ) {
      guard number > 0 else { return }
      let count = counted(number, "link", "links")
      findings.append(
        Finding(
          .links, "\(count) of '\(link.relationship)' \(number == 1 ? one : many)",
          about: [link.relationship], severity: severity))
    }
    let dangling = try danglingCount(of: link, in: table, to: target.name, connection)
    report(dangling, "has no \(link.missingRow)", "have no \(link.missingRow)", .warning)
    if let column = link.entityColumn {
      // The link's entity number differs from that of the destination row.
      let misnamed = try count(
        of: link, in: table, to: target.name,
        where: "link.\(quoteIdentifier(column)) IS NOT target.Z_ENT", connection)
      report(misnamed, "has a wrong entity number", "have a wrong entity number")
    }
    if let numbers = link.entityNumbers {
      let strange = try count(
        of: link, in: table, to: target.name,
        where: """
          target.Z_ENT IS NULL
          OR target.Z_ENT NOT BETWEEN \(numbers.lowerBound) AND \(numbers.upperBound)
          """, connection)
      let other = "to a row of another entity than '\(link.destination)'"
      report(strange, "leads \(other)", "lead \(other)")
    }
    return findings
  }

  private func danglingCount(
    of link: Link, in table: String, to target: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    let column = quoteIdentifier(link.column)
    return try connection.value(
      """
      SELECT count(*) FROM \(name(table)) AS link WHERE link.\(column) IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM \(name(target)) AS target WHERE target.Z_PK = link.\(column))
      """)?.int64 ?? 0
  }

  /// Counts the links whose destination row meets a condition on `link` and `target`.
  private func count(
    of link: Link, in table: String, to target: String, where condition: String,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    try connection.value(
      """
      SELECT count(*) FROM \(name(table)) AS link
      CROSS JOIN \(name(target)) AS target ON target.Z_PK = link.\(quoteIdentifier(link.column))
      WHERE \(condition)
      """)?.int64 ?? 0
  }
}
