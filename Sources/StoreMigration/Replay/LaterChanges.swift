import RowRewriting
import SQLite
import StoreFormat
import StoreProof

/// Compares a store with its base, to find what was written since it was migrated or edited.
///
/// Rows are compared by content; `Z_OPT`, history and metadata don't count.
/// - Complexity: O(*n*) in the number of rows, in constant memory.
struct LaterChanges {
  let replay: Replay

  /// The present store.
  let store: StoreDescription

  /// The present store's schema name.
  let schema: String

  private var layout: StoreLayout { replay.program.targetLayout }

  /// Returns the changes by entity, in the order of the model; unchanged entities are left out.
  func changes(_ connection: borrowing Connection) throws -> [EntityChange] {
    var changes: [EntityChange] = []
    for table in layout.tables { changes += try self.changes(in: table, connection) }
    for table in layout.joinTables {
      let change = try setChange(
        table.path, table: table.name,
        base: replay.schema(of: table.name), connection)
      changes.append(change)
    }
    let present = store.unmodeledTables(in: layout).map(\.name)
    let old = replay.old.unmodeledTables(in: replay.program.sourceLayout).map(\.name)
    for name in Set(present).union(old).sorted() {
      changes.append(
        present.contains(name) && old.contains(name)
          ? try setChange(name, table: name, base: replay.schema(of: name), connection)
          : try wholeChange(name, isNew: present.contains(name), connection))
    }
    return changes.filter { $0.added + $0.changed + $0.removed > 0 }
  }

  private func changes(
    in table: Table, _ connection: borrowing Connection
  ) throws -> [EntityChange] {
    let columns = table.columns.filter { $0.content != .optimisticLock }.map(\.name)
    // The first two columns of the query are the key and the entity's number.
    let places = columns.indices.map { $0 + 2 }
    func query(_ schema: String) -> String {
      let names = (["Z_PK", "Z_ENT"] + columns).map(quoteIdentifier).joined(separator: ", ")
      return "SELECT \(names) FROM \(qualified(table.name, in: schema)) ORDER BY Z_PK"
    }
    // The base is first, the present store second.
    var pairs = RowPairs(
      try RowCursor(query(replay.schema(of: table.name)), connection),
      try RowCursor(query(schema), connection))
    var counts = ChangeCounts()
    while let match = try pairs.next() {
      switch match {
      case .onlyInFirst: counts.countRemoved(pairs.first.row.int64(at: 1))
      case .onlyInSecond: counts.countAdded(pairs.second.row.int64(at: 1))
      case .both:
        if !pairs.first.row.holds(at: places, sameAs: pairs.second.row, by: .identical) {
          counts.countChanged(pairs.second.row.int64(at: 1))
        }
      }
    }
    return counts.changes(in: table, of: layout)
  }

  /// Returns the change of a table that was added or removed; an empty table counts as one row.
  private func wholeChange(
    _ name: String, isNew: Bool, _ connection: borrowing Connection
  ) throws -> EntityChange {
    let table = qualified(name, in: isNew ? schema : Replay.oldSchema)
    let rows = max(1, try connection.value("SELECT count(*) FROM \(table)")?.int64 ?? 1)
    return EntityChange(
      entity: name, added: isNew ? rows : 0, changed: 0, removed: isNew ? 0 : rows)
  }

  /// Compares tables whose rows have no keys.
  private func setChange(
    _ name: String, table: String, base: String, _ connection: borrowing Connection
  ) throws -> EntityChange {
    try RowSets(
      base: "SELECT * FROM \(qualified(table, in: base))",
      present: "SELECT * FROM \(qualified(table, in: schema))"
    ).change(of: name, connection)
  }
}
