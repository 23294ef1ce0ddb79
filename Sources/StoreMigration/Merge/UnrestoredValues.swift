import OutboxConversion
import SQLite
import StoreFormat
import RowRewriting
import StoreProof

/// Parks values that migrating the merged store again doesn't reproduce.
///
/// The merged store is migrated again, and the result is compared with the present store, row by
/// row. So everything that was written is in the merged store or parked, for whatever reason it
/// isn't reproduced: the old version has no such entity or attribute, a conversion rounds, or an
/// owner's text fills in a link again.
struct UnrestoredValues {
  let merged: MergedStore

  /// The schema name of the store that is migrated again.
  private static let schema = "again"

  /// Parks what isn't reproduced.
  ///
  /// - Returns: The number of parked values by `Entity.property`, and of whole rows by entity.
  func park(
    _ connection: borrowing Connection, _ parking: inout ParkingFile?
  ) throws -> [String: Int64] {
    let replay = merged.replay
    try connection.attach(path: "", as: Self.schema, mode: .temporary)
    try NewStore(
      program: replay.program, store: replay.old, target: replay.target, source: merged.result,
      schema: Self.schema
    ).writingDeliverableRows().writeChangedTables(connection)
    var counts: [String: Int64] = [:]
    for table in replay.program.targetLayout.tables {
      if let split = replay.program.splits.first(where: { $0.table == table.name }) {
        let parts = UnrestoredParts(
          split: split, table: table, merged: merged, again: schema(of: table.name))
        try parts.park(connection, &parking, &counts)
        continue
      }
      let comparison = try UnrestoredRows(table, in: merged, again: schema(of: table.name))
      try comparison.park(connection, &parking, &counts)
    }
    for join in replay.program.targetLayout.joinTables {
      try parkLinks(of: join, connection, &parking, &counts)
    }
    return counts
  }

  /// Parks links of a join table that aren't reproduced.
  private func parkLinks(
    of join: JoinTable, _ connection: borrowing Connection, _ parking: inout ParkingFile?,
    _ counts: inout [String: Int64]
  ) throws {
    let columns = join.columnNames
    let names = columns.map(quoteIdentifier).joined(separator: ", ")
    let sets = RowSets(
      base: "SELECT \(names) FROM \(qualified(join.name, in: schema(of: join.name)))",
      present: "SELECT \(names) FROM \(qualified(join.name, in: merged.schema))")
    var links = try connection.prepare(sets.added)
    while try links.step() {
      counts[join.path, default: 0] += 1
      try parking?.append(
        ParkedRow(
          entity: join.path, key: links.int64(at: 0), isWhole: true,
          values: columns.enumerated().map { place, name in
            ParkedValue(column: name, value: links.value(at: place), standIn: nil)
          }))
    }
  }

  private func schema(of table: String) -> String {
    merged.replay.schema(of: table) == Replay.baseSchema ? Self.schema : merged.result
  }
}

/// The part of one table that isn't reproduced.
private struct UnrestoredRows {
  private let table: Table
  private let merged: MergedStore
  private let again: String

  /// The columns to compare, and those of them that the old version has a place for.
  private let columns: [Column]
  private let placed: Set<String>

  /// The columns with keys of rows that the migration makes, which it may give other keys.
  private let madeLinks: Set<String>

  init(_ table: Table, in merged: MergedStore, again: String) throws(ProgramError) {
    self.table = table
    self.merged = merged
    self.again = again
    columns = table.columns.filter {
      $0.content != .optimisticLock && $0.content != .primaryKey && $0.content != .entityNumber
    }
    madeLinks = Set(
      merged.replay.program.splits.filter { $0.ownerTable == table.name }.map(\.link))
    placed = try merged.placedColumns(of: table.name)
  }

  private var layout: StoreLayout { merged.replay.program.targetLayout }

  func park(
    _ connection: borrowing Connection, _ parking: inout ParkingFile?,
    _ counts: inout [String: Int64]
  ) throws {
    // The store that was migrated again is first, the present store second.
    var pairs = RowPairs(
      try RowCursor(query(again), connection), try RowCursor(query(merged.schema), connection))
    while let match = try pairs.next() {
      if match == .onlyInFirst { continue }
      let key = pairs.second.row.int64(at: 0)
      let number = Int(pairs.second.row.int64(at: 1))
      let entity = layout.numbering.name(of: number) ?? table.rootEntity
      let row: ParkedRow
      if match == .both {
        let values = differences(pairs.first.row, pairs.second.row)
        row = ParkedRow(entity: entity, key: key, isWhole: false, values: values)
        for value in values { counts["\(entity).\(property(value.column))", default: 0] += 1 }
      } else {
        row = ParkedRow(entity: entity, key: key, isWhole: true, values: whole(pairs.second.row))
        counts[entity, default: 0] += 1
      }
      if !row.values.isEmpty { try parking?.append(row) }
    }
  }

  private func query(_ schema: String) -> String {
    let names =
      (["Z_PK", "Z_ENT"] + columns.map(\.name)).map(quoteIdentifier)
      + [quoteIdentifier("Z_OPT")]
    return """
      SELECT \(names.joined(separator: ", ")) FROM \(qualified(table.name, in: schema)) ORDER BY Z_PK
      """
  }

  /// Returns the values that differ, with the stand-in of each.
  ///
  /// A value that the old version has no place for has no stand-in: it can be restored even if the
  /// row has changed. Any other value fits only if the row still migrates to its stand-in.
  private func differences(
    _ again: borrowing Statement, _ present: borrowing Statement
  ) -> [ParkedValue] {
    var values: [ParkedValue] = []
    for (place, column) in columns.enumerated()
    where !again.holds(at: place + 2, sameAs: present, at: place + 2, by: .identical) {
      // A link to an empty row is the same as none.
      if madeLinks.contains(column.name) { continue }
      values.append(
        ParkedValue(
          column: column.name, value: present.value(at: place + 2),
          standIn: placed.contains(column.name) ? again.value(at: place + 2) : nil))
    }
    return values
  }

  private func whole(_ present: borrowing Statement) -> [ParkedValue] {
    (columns.map(\.name) + ["Z_OPT"]).enumerated().map { place, name in
      ParkedValue(column: name, value: present.value(at: place + 2), standIn: nil)
    }
  }

  private func property(_ column: String) -> String {
    columns.first { $0.name == column }?.content.property ?? column
  }
}
