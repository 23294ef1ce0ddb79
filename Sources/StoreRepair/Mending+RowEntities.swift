import SQLite
import StoreFormat
import StoreModel

extension Mending {
  /// Translates the numbers of all rows of a table, if `Z_PRIMARYKEY` named all its entities otherwise.
  ///
  /// The numbers are then another version's or program's, but the names say what each row is. A number
  /// can be that of one entity before and of another afterwards, so all are translated at once.
  mutating func renumberRows(
    _ layout: StoreLayout, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    for table in layout.tables {
      let tree = layout.numbering.tree(of: table.rootEntity)
      var own: [Int64: Int64] = [:]
      for (number, name) in foundNames where tree.contains(name) {
        own[number] = layout.numbering.number(of: name).map { Int64($0) }
      }
      // A name with two numbers doesn't say which of them rows have.
      guard own.count == tree.count, Set(own.values).count == tree.count,
        own.contains(where: { $0.key != $0.value })
      else { continue }
      let cases = own.sorted { $0.key < $1.key }.map { "WHEN \($0.key) THEN \($0.value)" }
      let moved = own.filter { $0.key != $0.value }.keys.sorted().map(String.init)
      let (count, keys) = try connection.found(
        in: table.name, where: "Z_ENT IN (\(moved.joined(separator: ", ")))")
      guard count > 0 else { continue }
      try connection.execute(
        """
        UPDATE \(quoteIdentifier(table.name)) SET Z_ENT = CASE Z_ENT \(cases.joined(separator: " ")) END
        WHERE Z_ENT IN (\(moved.joined(separator: ", ")))
        """)
      account.noteChange(table.name, "Z_ENT", count)
      account.add(
        .rowEntities, table.rootEntity, count: count, keys: keys,
        "\(counted(count, "row", "rows")) of '\(table.rootEntity)' given the version's number of the "
          + "entity that Z_PRIMARYKEY named")
    }
  }

  /// Gives rows with the number of an unrelated entity that of their own.
  ///
  /// In a table of one entity that is the table's. In others it is the entity that `Z_PRIMARYKEY`
  /// had under the number, or the only one whose columns the row fills. Rows of which neither is
  /// known stay a finding.
  mutating func mendRowEntities(
    _ layout: StoreLayout, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    for table in layout.tables {
      let tree = layout.numbering.tree(of: table.rootEntity)
      let numbers = tree.compactMap(layout.numbering.number(of:))
      guard let first = numbers.min(), let last = numbers.max() else { continue }
      let isForeign = "(Z_ENT IS NULL OR Z_ENT NOT BETWEEN \(first) AND \(last))"
      let (count, keys) = try connection.found(in: table.name, where: isForeign)
      guard count > 0 else { continue }
      var mended: Int64 = 0
      if tree.count == 1 {
        mended = try setEntity(first, in: table, where: isForeign, connection)
      } else {
        mended += try renumber(table, tree, isForeign, layout, connection)
        mended += try guess(table, tree, isForeign, layout, connection)
      }
      guard mended > 0 else { continue }
      account.add(
        .rowEntities, table.rootEntity, count: mended, keys: keys,
        "\(counted(mended, "row", "rows")) of '\(table.rootEntity)' given the number of "
          + "\(mended == 1 ? "its" : "their") entity")
    }
  }

  /// Translates numbers by the names that `Z_PRIMARYKEY` had for them.
  private mutating func renumber(
    _ table: Table, _ tree: [String], _ isForeign: String, _ layout: StoreLayout,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    var mended: Int64 = 0
    for (number, name) in foundNames.sorted(by: { $0.key < $1.key }) where tree.contains(name) {
      guard let own = layout.numbering.number(of: name), Int64(own) != number else { continue }
      mended += try setEntity(
        own, in: table, where: "\(isForeign) AND Z_ENT = \(number)", connection)
    }
    return mended
  }

  /// Gives rows the only entity of the tree whose columns they fill.
  private mutating func guess(
    _ table: Table, _ tree: [String], _ isForeign: String, _ layout: StoreLayout,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    let entities = tree.filter { model[$0]?.isAbstract == false }
    let tests = entities.map { test(of: $0, in: table) }
    var mended: Int64 = 0
    for (place, entity) in entities.enumerated() {
      guard let number = layout.numbering.number(of: entity) else { continue }
      let others = tests.enumerated().filter { $0.offset != place }.map { "NOT (\($0.element))" }
      let condition = ([isForeign, "(\(tests[place]))"] + others).joined(separator: " AND ")
      mended += try setEntity(number, in: table, where: condition, connection)
    }
    return mended
  }

  /// Returns the condition for a row that can be one of an entity, by the columns that it fills.
  private func test(of entity: String, in table: Table) -> String {
    let chain = Set(model.chain(from: entity))
    let made = created[table.name] ?? []
    let tests = table.columns.compactMap { column -> String? in
      guard !made.contains(column.name) else { return nil }
      switch column.content {
      case .attribute(let owner, let path, _):
        if !chain.contains(owner) { return "\(quoteIdentifier(column.name)) IS NULL" }
        return model.isMandatory(path, of: owner)
          ? "\(quoteIdentifier(column.name)) IS NOT NULL" : nil
      case .foreignKey(let owner, _), .entityKey(let owner, _), .ordering(let owner, _):
        return chain.contains(owner) ? nil : "\(quoteIdentifier(column.name)) IS NULL"
      case .primaryKey, .entityNumber, .optimisticLock, .inverselessKey, .inverselessOrdering:
        return nil
      }
    }
    return tests.isEmpty ? "1" : tests.joined(separator: " AND ")
  }

  private mutating func setEntity(
    _ number: Int, in table: Table, where condition: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    let name = quoteIdentifier(table.name)
    try connection.execute("UPDATE \(name) SET Z_ENT = \(number) WHERE \(condition)")
    let changes = connection.changes
    if created[table.name]?.contains("Z_ENT") != true {
      account.noteChange(table.name, "Z_ENT", changes)
    }
    return changes
  }
}
