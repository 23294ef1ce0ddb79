import SQLite
import StoreFormat
import StoreModel

/// A column with the keys of other rows, and the columns that belong to it.
private struct LinkColumns {
  let key: String

  /// The column with the entity numbers of those rows; `nil` if there isn't one.
  let entity: String?

  /// The column with the positions in an ordered relationship; `nil` if there isn't one.
  let ordering: String?

  /// The relationship as `Entity.relationship`.
  let relationship: String

  /// The table of those rows.
  let target: String

  /// Whether the link may be `nil`.
  let isOptional: Bool
}

extension Mending {
  /// Removes links to missing rows, and corrects the entity numbers of the others.
  ///
  /// A mandatory link stays as it is: the app would fail to save its row without it, too.
  mutating func mendLinks(
    _ layout: StoreLayout, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    for table in layout.tables {
      for link in links(of: table, layout) {
        if link.isOptional { try removeDangling(link, in: table, connection) }
        try correctEntity(of: link, in: table, connection)
      }
    }
  }

  private mutating func removeDangling(
    _ link: LinkColumns, in table: Table, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let key = quoteIdentifier(link.key)
    let isDangling = """
      t.\(key) IS NOT NULL \
      AND NOT EXISTS (SELECT 1 FROM \(quoteIdentifier(link.target)) AS o WHERE o.Z_PK = t.\(key))
      """
    let (count, keys) = try connection.found(in: table.name, where: isDangling)
    guard count > 0 else { return }
    let columns = [link.key] + [link.entity, link.ordering].compactMap(\.self)
    for column in columns {
      let changed = try connection.found(
        in: table.name, where: "\(isDangling) AND t.\(quoteIdentifier(column)) IS NOT NULL")
      note(table, column, changed.count)
    }
    // The key comes last in the statement's effect: SQLite reads a row before it writes it.
    let changes = columns.map { "\(quoteIdentifier($0)) = NULL" }.joined(separator: ", ")
    try connection.execute(
      "UPDATE \(quoteIdentifier(table.name)) AS t SET \(changes) WHERE \(isDangling)")
    account.add(
      .links, link.relationship, count: count, keys: keys,
      "\(counted(count, "link", "links")) of '\(link.relationship)' to missing rows removed")
  }

  private mutating func correctEntity(
    of link: LinkColumns, in table: Table, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard let entity = link.entity else { return }
    let (key, number) = (quoteIdentifier(link.key), quoteIdentifier(entity))
    let found = "(SELECT o.Z_ENT FROM \(quoteIdentifier(link.target)) AS o WHERE o.Z_PK = t.\(key))"
    let isWrong = "t.\(key) IS NOT NULL AND \(found) IS NOT NULL AND t.\(number) IS NOT \(found)"
    let (count, keys) = try connection.found(in: table.name, where: isWrong)
    guard count > 0 else { return }
    try connection.execute(
      "UPDATE \(quoteIdentifier(table.name)) AS t SET \(number) = \(found) WHERE \(isWrong)")
    note(table, entity, count)
    account.add(
      .linkEntities, link.relationship, count: count, keys: keys,
      "\(counted(count, "link", "links")) of '\(link.relationship)' given the entity number of "
        + "\(count == 1 ? "its" : "their") destination")
  }

  private mutating func note(_ table: Table, _ column: String, _ count: Int64) {
    guard created[table.name]?.contains(column) != true else { return }
    account.noteChange(table.name, column, count)
  }

  private func links(of table: Table, _ layout: StoreLayout) -> [LinkColumns] {
    table.columns.compactMap { column in
      guard let (relationship, entity) = model.link(in: column),
        let target = layout.table(of: entity)
      else { return nil }
      let related = related(to: column, in: table)
      return LinkColumns(
        key: column.name, entity: related.entity?.name, ordering: related.ordering?.name,
        relationship: relationship, target: target.name, isOptional: isOptional(column))
    }
  }

  private func related(
    to column: Column, in table: Table
  ) -> (entity: Column?, ordering: Column?) {
    switch column.content {
    case .foreignKey(let entity, let name):
      (
        table.column(.entityKey(entity: entity, relationship: name)),
        table.column(.ordering(entity: entity, relationship: name))
      )
    case .inverselessKey(let source, let name):
      (nil, table.column(.inverselessOrdering(source: source, relationship: name)))
    default: (nil, nil)
    }
  }

  /// Whether a row may have no key in a column.
  ///
  /// A key of a to-many relationship without inverse is that of its source, which may always lose a
  /// destination.
  private func isOptional(_ column: Column) -> Bool {
    guard case .foreignKey(let entity, let name) = column.content else { return true }
    return model.relationship(named: name, of: entity)?.relationship.isOptional ?? false
  }

  /// Removes the rows of join tables that lack one of their ends.
  mutating func mendJoinRows(
    _ layout: StoreLayout, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    for table in layout.joinTables {
      let lacksEnd = [table.first, table.second].compactMap { side -> String? in
        guard let target = layout.table(of: side.entity) else { return nil }
        let key = quoteIdentifier(side.keyColumn)
        return """
          NOT EXISTS (SELECT 1 FROM \(quoteIdentifier(target.name)) AS o WHERE o.Z_PK = t.\(key))
          """
      }.joined(separator: " OR ")
      guard !lacksEnd.isEmpty else { continue }
      try connection.execute(
        "DELETE FROM \(quoteIdentifier(table.name)) AS t WHERE \(lacksEnd)")
      let count = connection.changes
      guard count > 0 else { continue }
      account.noteRemoval(table.name, count)
      account.add(
        .joinRows, "\(table.first.entity).\(table.first.relationship)", count: count,
        "\(counted(count, "row", "rows")) of the join table '\(table.name)' without one of "
          + "\(count == 1 ? "its" : "their") ends removed")
    }
  }
}
