import SQLite

extension EntityPlan {
  /// Writes a part of the entity's rows.
  ///
  /// The outbox is made by `outbox`, whose rows hang together; other entities don't need it.
  func write(
    _ rows: Range<Int>, in world: World, outbox: OutboxRows, to connection: borrowing Connection
  ) throws(SQLiteError) {
    guard !rows.isEmpty else { return }
    var statement = try connection.prepare(insertStatement)
    for index in rows {
      let event = crowd.name == outboxEntity ? outbox.row(at: index) : nil
      for (place, column) in columns.enumerated() {
        try statement.bind(
          value(of: column.content, at: index, in: world, event: event), at: place + 1)
      }
      try statement.run()
    }
  }

  private func value(
    of content: Content, at index: Int, in world: World, event: OutboxRow?
  ) -> Value {
    switch content {
    case .key: return .integer(crowd.key(index))
    case .entityNumber: return .integer(Int64(crowd.number))
    case .optimisticLock: return .integer(saves(at: index, in: world))
    case .attribute(let recipe):
      if case .outbox(let column) = recipe.kind { return event?.value(of: column) ?? .null }
      return recipe.value(of: crowd, at: index, in: world)
    case .foreignKey(let recipe):
      guard let (target, row) = recipe.destination(of: crowd, at: index, in: world) else {
        return .null
      }
      return .integer(target.key(row))
    case .entityKey(let recipe):
      let target = recipe.destination(of: crowd, at: index, in: world)
      return target.map { .integer(Int64($0.crowd.number)) } ?? .null
    case .holder(let source, let hash):
      var random = world.random(hash, index)
      return random.chance(20) ? .null : .integer(source.key(random.below(source.count)))
    case .ordering(let hash):
      var random = world.random(hash, index)
      // Core Data leaves room between neighbours; see `StoreFormat.md` §6.
      return .integer(Int64(random.integer(1...64)) * 1_024)
    }
  }
}
