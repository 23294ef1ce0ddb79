import SQLite
import StoreFormat
import Migrations
import RowRewriting

/// What was written to a store since it was migrated: the base and the store, side by side.
///
/// Rows are told by content; `Z_OPT`, history and metadata don't count.
/// - Complexity: O(*n*) in the number of rows, in constant memory.
struct LaterChanges {
  let replay: Replay

  /// The store as it is now.
  let store: StoreDescription

  /// The name under which it is open.
  let schema: String

  private var layout: StoreLayout { replay.program.targetLayout }

  /// The changes by entity, in the order of the model; entities without any are left out.
  func changes(_ connection: borrowing Connection) throws -> [EntityChange] {
    var changes: [EntityChange] = []
    for table in layout.tables { changes += try self.changes(in: table, connection) }
    for table in layout.joinTables {
      let change = try setChange(
        "\(table.first.entity).\(table.first.relationship)", table: table.name,
        base: replay.schema(of: table.name), connection)
      changes.append(change)
    }
    let present = store.strangers(to: layout).map(\.name)
    let old = replay.old.strangers(to: replay.program.sourceLayout).map(\.name)
    for name in Set(present).union(old).sorted() {
      changes.append(
        present.contains(name) && old.contains(name)
          ? try setChange(name, table: name, base: Replay.oldSchema, connection)
          : try wholeChange(name, isNew: present.contains(name), connection))
    }
    return changes.filter { $0.added + $0.changed + $0.removed > 0 }
  }

  private func changes(
    in table: Table, _ connection: borrowing Connection
  ) throws -> [EntityChange] {
    let columns = table.columns.filter { $0.content != .optimisticLock }.map(\.name)
    let places = columns.indices
    func query(_ schema: String) -> String {
      let names = (["Z_PK", "Z_ENT"] + columns).map(quoteIdentifier).joined(separator: ", ")
      return "SELECT \(names) FROM \(qualified(table.name, in: schema)) ORDER BY Z_PK"
    }
    var base = try connection.prepare(query(replay.schema(of: table.name)), isPersistent: true)
    var present = try connection.prepare(query(schema), isPersistent: true)
    var counts: [Int64: Counts] = [:]
    var (hasBase, hasPresent) = (try base.step(), try present.step())
    while hasBase || hasPresent {
      let isRemoved = hasBase && (!hasPresent || base.int64(at: 0) < present.int64(at: 0))
      let isAdded = hasPresent && (!hasBase || present.int64(at: 0) < base.int64(at: 0))
      if isRemoved {
        counts[base.int64(at: 1), default: Counts()].removed += 1
      } else if isAdded {
        counts[present.int64(at: 1), default: Counts()].added += 1
      } else if !places.allSatisfy({ base.holds(at: $0 + 2, sameAs: present, at: $0 + 2) }) {
        counts[present.int64(at: 1), default: Counts()].changed += 1
      }
      if !isAdded { hasBase = try base.step() }
      if !isRemoved { hasPresent = try present.step() }
    }
    return counts.sorted { $0.key < $1.key }.map { number, counts in
      EntityChange(
        entity: layout.numbering.name(of: Int(number)) ?? table.rootEntity, added: counts.added,
        changed: counts.changed, removed: counts.removed)
    }
  }

  private struct Counts {
    var (added, changed, removed): (Int64, Int64, Int64) = (0, 0, 0)
  }

  /// A table that came or went with all its rows; without rows it counts as one.
  private func wholeChange(
    _ name: String, isNew: Bool, _ connection: borrowing Connection
  ) throws -> EntityChange {
    let table = qualified(name, in: isNew ? schema : Replay.oldSchema)
    let rows = max(1, try connection.value("SELECT count(*) FROM \(table)")?.int64 ?? 1)
    return EntityChange(
      entity: name, added: isNew ? rows : 0, changed: 0, removed: isNew ? 0 : rows)
  }

  /// Compares tables whose rows have no keys, as sets: equal rows count once.
  private func setChange(
    _ name: String, table: String, base: String, _ connection: borrowing Connection
  ) throws -> EntityChange {
    let (old, new) = (qualified(table, in: base), qualified(table, in: schema))
    func count(_ left: String, _ right: String) throws -> Int64 {
      try connection.value(
        "SELECT count(*) FROM (SELECT * FROM \(left) EXCEPT SELECT * FROM \(right))")?.int64 ?? 0
    }
    return EntityChange(
      entity: name, added: try count(new, old), changed: 0, removed: try count(old, new))
  }
}
