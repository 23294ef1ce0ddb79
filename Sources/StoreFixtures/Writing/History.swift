import SQLite
import StoreFormat
import StoreModel

/// The persistent history of a fixture's last saves.
///
/// See `StoreFormat.md` §8. Each entity has a few inserted, updated or deleted rows in it.
struct History: Sendable {
  /// A change of a row.
  private struct Change {
    let kind: Int64
    let rowSet: RowSet
    let key: Int64
    let columns: [UInt8]?
  }

  /// The number of rows of each entity in the history.
  private static let depth = 3

  /// The number of changes in a transaction.
  private static let changesPerSave = 5

  let fixture: FixturePlan
  let plans: [EntityPlan]

  func write(to connection: borrowing Connection) throws(SQLiteError) {
    let changes = plans.flatMap(changes(of:))
    let saves = (changes.count + Self.changesPerSave - 1) / Self.changesPerSave
    guard saves > 0 else { return }
    for (index, text) in ["app.\(fixture.app)", fixture.app].enumerated() {
      try connection.execute(
        "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, 16003, NULL, ?)",
        [.integer(Int64(index + 1)), .text(text)])
    }
    for save in 1...saves {
      let age = Double(saves - save) * 12.5
      try connection.execute(
        """
        INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZBUNDLEIDTS, ZPROCESSIDTS, ZTIMESTAMP) \
        VALUES (?, 16002, 1, 2, ?)
        """, [.integer(Int64(save)), .real(FixturePlan.end - age)])
    }
    for (index, change) in changes.enumerated() {
      try connection.execute(
        """
        INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) \
        VALUES (?, 16001, ?, ?, ?, ?, ?)
        """,
        [
          .integer(Int64(index + 1)), .integer(change.kind), .integer(Int64(change.rowSet.number)),
          .integer(change.key), .integer(Int64(index / Self.changesPerSave + 1)),
          change.columns.map { .blob($0) } ?? .null,
        ])
    }
    try writeNumbers(highest: [Int64(changes.count), Int64(saves), 2], to: connection)
  }

  private func writeNumbers(
    highest: [Int64], to connection: borrowing Connection
  ) throws(SQLiteError) {
    for (entity, highest) in zip(HistoryTables.entities, highest) {
      try connection.execute(
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, 0, ?)",
        [.integer(entity.number), .text(entity.name), .integer(highest)])
    }
  }

  private func changes(of plan: EntityPlan) -> [Change] {
    let rowSet = plan.rowSet
    var changes: [Change] = []
    let recent = max(0, rowSet.count - Self.depth)..<rowSet.count
    for index in recent {
      changes.append(Change(kind: 0, rowSet: rowSet, key: rowSet.key(index), columns: nil))
      // A row saved more than once was updated after it was inserted.
      for _ in 1..<plan.saves(at: index, in: fixture) {
        changes.append(
          Change(kind: 1, rowSet: rowSet, key: rowSet.key(index), columns: mask(of: rowSet, index)))
      }
    }
    if let key = rowSet.deletedKey(0) {
      changes.append(Change(kind: 2, rowSet: rowSet, key: key, columns: nil))
    }
    return changes
  }

  /// Returns a mask with one bit for each stored property, most significant first.
  private func mask(of rowSet: RowSet, _ index: Int) -> [UInt8] {
    let properties = fixture.model.properties(of: rowSet.name)
    let toOne = properties.count { property in
      if case .relationship(let relationship) = property { !relationship.isToMany } else { false }
    }
    let attributes = properties.count { property in
      if case .attribute(let attribute) = property { !attribute.isTransient } else { false }
    }
    let toMany = properties.count { property in
      if case .relationship(let relationship) = property { relationship.isToMany } else { false }
    }
    let bits = toOne + attributes + toMany
    var mask = [UInt8](repeating: 0, count: (bits + 7) / 8)
    guard attributes > 0 else { return mask }
    var random = fixture.random(rowSet.hash &+ 3, index)
    for _ in 0..<2 {
      let bit = toOne + random.below(attributes)
      mask[bit / 8] |= 0x80 >> UInt8(bit % 8)
    }
    return mask
  }
}
