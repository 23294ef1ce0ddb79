import SQLite

extension EntityPlan {
  /// Writes a range of the entity's rows.
  ///
  /// `outbox` creates the rows if the entity is the outbox. Other entities don't use it.
  func write(
    _ rows: Range<Int>, in fixture: FixturePlan, outbox: OutboxRows,
    to connection: borrowing Connection
  ) throws(SQLiteError) {
    guard !rows.isEmpty else { return }
    var statement = try connection.prepare(insertStatement)
    for index in rows {
      let event = rowSet.name == outboxEntity ? outbox.row(at: index) : nil
      for (position, column) in columns.enumerated() {
        try statement.bind(
          value(of: column.content, at: index, in: fixture, event: event), at: position + 1)
      }
      try statement.run()
    }
  }

  private func value(
    of content: Content, at index: Int, in fixture: FixturePlan, event: FixtureEvent?
  ) -> Value {
    switch content {
    case .key: return .integer(rowSet.key(index))
    case .entityNumber: return .integer(Int64(rowSet.number))
    case .optimisticLock: return .integer(saves(at: index, in: fixture))
    case .attribute(let recipe):
      if case .outbox(let column) = recipe.kind { return event?.value(of: column) ?? .null }
      return recipe.value(of: rowSet, at: index, in: fixture)
    case .foreignKey(let recipe):
      guard let (target, row) = recipe.destination(of: rowSet, at: index, in: fixture) else {
        return .null
      }
      return .integer(target.key(row))
    case .entityKey(let recipe):
      let target = recipe.destination(of: rowSet, at: index, in: fixture)
      return target.map { .integer(Int64($0.rowSet.number)) } ?? .null
    case .holder(let source, let hash):
      var random = fixture.random(hash, index)
      return random.chance(20) ? .null : .integer(source.key(random.below(source.count)))
    case .ordering(let hash):
      var random = fixture.random(hash, index)
      // Core Data leaves gaps between neighbors (`StoreFormat.md` §6).
      return .integer(Int64(random.integer(1...64)) * 1_024)
    }
  }
}
