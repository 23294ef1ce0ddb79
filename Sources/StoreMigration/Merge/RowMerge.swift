import Migrations
import SQLite
import StoreFormat
import RowRewriting
import StoreProof

/// Merges the rows of one table, reading snapshot, base and present side by side, by key.
struct RowMerge: ~Copyable {
  let rows: RowProgram
  let store: MergedStore
  private var evaluator: RowEvaluator

  /// For each column of the old version's table, the present's columns that it depends on.
  private let dependencies: [Set<Int>]

  /// The present's columns that the old version's values are computed from.
  ///
  /// The first three, `Z_PK`, `Z_ENT` and `Z_OPT`, aren't included: they aren't content.
  private let contentColumns: [Int]

  /// The index of `Z_OPT` in the old version's table.
  private let lockPlace: Int?
  private var counts = ChangeCounts()

  init(_ rows: RowProgram, in store: MergedStore) {
    self.rows = rows
    self.store = store
    evaluator = RowEvaluator(rows)
    dependencies = rows.cells.map { Set(rows.columns(of: $0)) }
    contentColumns = rows.usedColumns.filter { $0 > 2 }.sorted()
    lockPlace = rows.table.columns.firstIndex { $0.content == .optimisticLock }
  }

  func changes(_ layout: StoreLayout) -> [EntityChange] {
    counts.changes(in: rows.table, of: layout)
  }

  mutating func run(_ connection: borrowing Connection) throws {
    let names = rows.table.columns.map { quoteIdentifier($0.name) }
    let old = try RowCursor(
      """
      SELECT Z_PK, Z_ENT, \(names.joined(separator: ", "))
      FROM \(qualified(rows.table.name, in: Replay.oldSchema)) ORDER BY Z_PK
      """, connection)
    let base = try RowCursor(
      rows.query(schema: store.replay.schema(of: rows.sourceTable)), connection)
    let present = try RowCursor(rows.query(schema: store.schema), connection)
    let places = names.map { _ in "?" }.joined(separator: ", ")
    var insert = try connection.prepare(
      """
      INSERT INTO \(qualified(rows.table.name, in: store.result)) \
      (\(names.joined(separator: ", "))) VALUES (\(places))
      """, isPersistent: true)
    // The snapshot is the first set; the second set is a pair, of the base and the present.
    var pairs = RowPairs(old, RowPairs(base, present))
    while let match = try pairs.next() {
      let written = match == .onlyInFirst ? nil : pairs.second.match
      switch (match != .onlyInSecond, written) {
      case (true, .both):
        try mergeRow(pairs.first.row, pairs.second.first.row, pairs.second.second.row, &insert)
      case (true, .onlyInFirst): counts.countRemoved(pairs.first.row.int64(at: 1))
      // The migration left the row out. If the row was added again since, in the new form, the
      // snapshot's row is used, and the added one is parked.
      case (true, _) where written == nil || store.replay.edited == nil:
        try copy(pairs.first.row, &insert)
      // The edit added the row, and it wasn't written to since: it is removed with the edit.
      case (false, .both) where isUntouched(pairs.second.first.row, pairs.second.second.row): break
      case (_, .both), (_, .onlyInSecond): try add(pairs.second.second.row, &insert)
      case (_, .onlyInFirst), (_, nil): break
      }
    }
  }
}

// MARK: - Rows

extension RowMerge {
  private func isUntouched(
    _ base: borrowing Statement, _ present: borrowing Statement
  ) -> Bool {
    base.holds(at: contentColumns, sameAs: present, by: .identical)
  }

  /// Merges a row that is in all three: each value is the snapshot's, unless it was written since.
  private mutating func mergeRow(
    _ old: borrowing Statement, _ base: borrowing Statement, _ present: borrowing Statement,
    _ insert: inout Statement
  ) throws {
    var touched: Set<Int> = []
    for column in contentColumns
    where !base.holds(at: column, sameAs: present, at: column, by: .identical) {
      touched.insert(column)
    }
    try evaluator.beginRestoring(present)
    for place in rows.cells.indices {
      let isTouched =
        place == lockPlace ? !touched.isEmpty : !dependencies[place].isDisjoint(with: touched)
      // A value that the old version can't hold stays as it was, and is parked.
      if isTouched && evaluator.isRestored(place, present) {
        try insert.bind(evaluator.evaluate(rows.cells[place], present), at: place + 1)
      } else {
        try insert.bindColumn(of: old, column: place + 2, at: place + 1)
      }
    }
    try insert.run()
    if !touched.isEmpty { counts.countChanged(old.int64(at: 1)) }
  }

  /// Adds a row that was written since, converted by the inverse steps.
  private mutating func add(
    _ present: borrowing Statement, _ insert: inout Statement
  ) throws {
    try evaluator.beginRestoring(present)
    for place in rows.cells.indices {
      let value =
        evaluator.isRestored(place, present)
        ? try evaluator.evaluate(rows.cells[place], present)
        : rows.table.columns[place].standIn(in: store.replay.route.source.model)
      try insert.bind(value, at: place + 1)
    }
    try insert.run()
    counts.countAdded(rows.entityNumbers[present.int64(at: 1)] ?? 0)
  }

  private func copy(_ old: borrowing Statement, _ insert: inout Statement) throws {
    for place in rows.cells.indices {
      try insert.bindColumn(of: old, column: place + 2, at: place + 1)
    }
    try insert.run()
  }
}

extension RowProgram {
  /// The source's columns that the target's values are computed from, and the first three.
  ///
  /// Those three are `Z_PK`, `Z_ENT` and `Z_OPT`.
  var usedColumns: Set<Int> {
    cells.reduce(into: [0, 1, 2]) { $0.formUnion(columns(of: $1)) }
  }
}
