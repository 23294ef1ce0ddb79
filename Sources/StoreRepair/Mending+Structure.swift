import SQLite
import StoreFormat
import StoreModel

extension Mending {
  /// Creates missing tables and columns as the version has them.
  mutating func mendTables(
    _ store: StoreDescription, _ layout: StoreLayout, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    for table in layout.tables {
      try create(
        table.name, table.createStatement, table.columns.map { ($0.name, $0.declaredType) },
        entity: table.rootEntity, store, connection)
    }
    for table in layout.joinTables {
      try create(
        table.name, table.createStatement, table.columnNames.map { ($0, "INTEGER") },
        entity: nil, store, connection)
    }
    for table in layout.tables { noteLostLinks(of: table) }
  }

  private mutating func create(
    _ name: String, _ statement: String, _ columns: [(name: String, type: String)],
    entity: String?, _ store: StoreDescription, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard let found = store.table(named: name) else {
      try connection.execute(statement)
      account.add(.table, name, "table '\(name)' created, without rows")
      account.lose(
        entity ?? name, count: nil,
        "the rows of the missing table '\(name)' are lost")
      return
    }
    guard !found.isVirtual else { return }
    let present = Set(found.columns.map { $0.name.uppercased() })
    for column in columns where !present.contains(column.name.uppercased()) {
      try connection.execute(
        """
        ALTER TABLE \(quoteIdentifier(name)) \
        ADD COLUMN \(identifier(column.name)) \(column.type)
        """)
      created[name, default: []].insert(column.name)
      account.add(
        .column, "\(name).\(column.name)", "column '\(column.name)' of '\(name)' created")
    }
  }

  /// Notes the values that the created columns of a table would have had.
  ///
  /// What other columns determine isn't lost: the entity numbers of links, and `Z_ENT`.
  private mutating func noteLostLinks(of table: Table) {
    for column in table.columns where created[table.name]?.contains(column.name) == true {
      guard let property = column.content.lostProperty else { continue }
      account.lose(
        property, count: nil,
        "the values of '\(property)' in the missing column '\(column.name)' are lost")
    }
  }

  /// Creates missing indexes as the version has them.
  ///
  /// A unique index of rows with equal values can't be created: that stays a finding.
  mutating func mendIndexes(_ connection: borrowing Connection) throws {
    let store = try StoreDescription(reading: connection)
    let layout = store.layout(of: model)
    let match = IndexMatch(of: layout.indexes, in: store.indexes)
    for index in match.missing {
      let present = Set(
        (store.table(named: index.table)?.columns ?? []).map { $0.name.uppercased() })
      guard index.columns.allSatisfy({ present.contains($0.uppercased()) }) else { continue }
      do throws(SQLiteError) {
        let other = store.indexes.first { $0.name.lowercased() == index.name.lowercased() }
        try create(index, inPlaceOf: other?.name, connection)
        if let other {
          account.lose(
            other.name, count: nil,
            "another index '\(other.name)' of '\(other.table)' had the name of the version's, and is gone"
          )
        }
        let kind = index.isUnique ? "unique index" : "index"
        account.add(.index, index.name, "\(kind) '\(index.name)' of '\(index.table)' created")
      } catch {
        guard error.isConstraint else { throw error }
      }
    }
  }

  /// Creates an index, in the place of another with its name.
  private func create(
    _ index: IndexLayout, inPlaceOf other: String?, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.execute("SAVEPOINT indexing")
    do throws(SQLiteError) {
      if let other { try connection.execute("DROP INDEX \(quoteIdentifier(other))") }
      try connection.execute(index.createStatement)
    } catch {
      try connection.execute("ROLLBACK TO indexing; RELEASE indexing")
      throw error
    }
    try connection.execute("RELEASE indexing")
  }
}

extension Column.Content {
  /// The property whose values only this column has; `nil` if others determine them.
  fileprivate var lostProperty: String? {
    switch self {
    case .primaryKey, .entityNumber, .optimisticLock, .entityKey: nil
    case .attribute(let entity, let path, _): "\(entity).\(path.joined(separator: "."))"
    case .foreignKey(let entity, let name), .inverselessKey(let entity, let name):
      "\(entity).\(name)"
    case .ordering(let entity, let name), .inverselessOrdering(let entity, let name):
      "\(entity).\(name) (order)"
    }
  }
}
