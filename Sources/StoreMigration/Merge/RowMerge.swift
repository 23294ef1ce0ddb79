import SQLite
import StoreFormat
import Migrations
import RowRewriting

/// Merges the rows of one table: snapshot, base and present are read once, side by side, by key.
struct RowMerge: ~Copyable {
  let rows: RowProgram
  let store: MergedStore
  private var evaluator: RowEvaluator

  /// For each column of the old version's table: the columns of the present that it depends on.
  private let dependencies: [Set<Int>]

  /// The columns that values of the old version are made of.
  ///
  /// Z_PK, Z_ENT and Z_OPT aren't among them: they stand first and say nothing about content.
  private let contentColumns: [Int]

  /// The place of `Z_OPT` in the old version's table.
  private let lockPlace: Int?
  private var counts: [Int64: (added: Int64, changed: Int64, removed: Int64)] = [:]

  init(_ rows: RowProgram, in store: MergedStore) {
    self.rows = rows
    self.store = store
    evaluator = RowEvaluator(rows)
    dependencies = rows.cells.map { Set(rows.columns(of: $0)) }
    contentColumns = rows.usedColumns.filter { $0 > 2 }.sorted()
    lockPlace = rows.table.columns.firstIndex { $0.content == .optimisticLock }
  }

  func changes(_ layout: StoreLayout) -> [EntityChange] {
    counts.sorted { $0.key < $1.key }.map { number, counts in
      EntityChange(
        entity: layout.numbering.name(of: Int(number)) ?? rows.table.rootEntity,
        added: counts.added, changed: counts.changed, removed: counts.removed)
    }
  }

  mutating func run(_ connection: borrowing Connection) throws {
    let names = rows.table.columns.map { quoteIdentifier($0.name) }
    var old = try connection.prepare(
      """
      SELECT Z_PK, Z_ENT, \(names.joined(separator: ", "))
      FROM \(qualified(rows.table.name, in: Replay.oldSchema)) ORDER BY Z_PK
      """, isPersistent: true)
    let baseSchema = store.replay.schema(of: rows.sourceTable)
    var base = try connection.prepare(
      rows.query(schema: baseSchema), isPersistent: true)
    var present = try connection.prepare(
      rows.query(schema: store.schema), isPersistent: true)
    let places = names.map { _ in "?" }.joined(separator: ", ")
    var insert = try connection.prepare(
      """
      INSERT INTO \(qualified(rows.table.name, in: store.result)) \
      (\(names.joined(separator: ", "))) VALUES (\(places))
      """, isPersistent: true)
    var (hasOld, hasBase, hasPresent) = (try old.step(), try base.step(), try present.step())
    while hasOld || hasBase || hasPresent {
      let key = min(
        hasOld ? old.int64(at: 0) : .max, hasBase ? base.int64(at: 0) : .max,
        hasPresent ? present.int64(at: 0) : .max)
      let isOld = hasOld && old.int64(at: 0) == key
      let isBase = hasBase && base.int64(at: 0) == key
      let isPresent = hasPresent && present.int64(at: 0) == key
      switch (isOld, isBase, isPresent) {
      case (true, true, true): try mergeRow(old, base, present, &insert)
      case (true, true, false): counts[old.int64(at: 1), default: (0, 0, 0)].removed += 1
      // The migration had left the row behind. If it was put back since, in the new form, its old form is
      // in the snapshot: that stands, and what was put back is parked.
      case (true, false, _) where !isPresent || store.replay.edited == nil: try copy(old, &insert)
      // The edit had made the row, and nobody wrote to it: it goes with the edit.
      case (false, true, true) where isUntouched(base, present): break
      case (_, _, true): try add(present, &insert)
      default: break
      }
      if isOld { hasOld = try old.step() }
      if isBase { hasBase = try base.step() }
      if isPresent { hasPresent = try present.step() }
    }
  }
}

// MARK: - Rows

extension RowMerge {
  private func isUntouched(
    _ base: borrowing Statement, _ present: borrowing Statement
  ) -> Bool {
    contentColumns.allSatisfy { base.holds(at: $0, sameAs: present, at: $0) }
  }

  /// A row that is in all three: each value is the snapshot's, unless it was written since.
  private mutating func mergeRow(
    _ old: borrowing Statement, _ base: borrowing Statement, _ present: borrowing Statement,
    _ insert: inout Statement
  ) throws {
    var touched: Set<Int> = []
    for column in contentColumns
    where !base.holds(at: column, sameAs: present, at: column) {
      touched.insert(column)
    }
    try evaluator.begin(present)
    for place in rows.cells.indices {
      let isTouched =
        place == lockPlace ? !touched.isEmpty : !dependencies[place].isDisjoint(with: touched)
      if isTouched {
        try insert.bind(evaluator.evaluate(rows.cells[place], present), at: place + 1)
      } else {
        try insert.bindColumn(of: old, column: place + 2, at: place + 1)
      }
    }
    try insert.run()
    if !touched.isEmpty { counts[old.int64(at: 1), default: (0, 0, 0)].changed += 1 }
  }

  /// A row that was written since.
  private mutating func add(
    _ present: borrowing Statement, _ insert: inout Statement
  ) throws {
    try evaluator.begin(present)
    for place in rows.cells.indices {
      try insert.bind(evaluator.evaluate(rows.cells[place], present), at: place + 1)
    }
    try insert.run()
    let number = rows.entityNumbers[present.int64(at: 1)] ?? 0
    counts[number, default: (0, 0, 0)].added += 1
  }

  private func copy(_ old: borrowing Statement, _ insert: inout Statement) throws {
    for place in rows.cells.indices {
      try insert.bindColumn(of: old, column: place + 2, at: place + 1)
    }
    try insert.run()
  }
}

extension RowProgram {
  /// The columns that a value of the target is made of; the first three are keys and counters.
  var usedColumns: Set<Int> {
    cells.reduce(into: [0, 1, 2]) { $0.formUnion(columns(of: $1)) }
  }
}
