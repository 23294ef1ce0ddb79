import SQLite
import StoreFormat
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

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
    // The snapshot is first; base and present are first and second of the second.
    var pairs = RowPairs(old, RowPairs(base, present))
    while let match = try pairs.next() {
      let written = match == .onlyInFirst ? nil : pairs.second.match
      switch (match != .onlyInSecond, written) {
      case (true, .both):
        try mergeRow(pairs.first.row, pairs.second.first.row, pairs.second.second.row, &insert)
      case (true, .onlyInFirst): counts.countRemoved(pairs.first.row.int64(at: 1))
      // The migration had left the row behind. If it was put back since, in the new form, its old form is
      // in the snapshot: that stands, and what was put back is parked.
      case (true, _) where written == nil || store.replay.edited == nil:
        try copy(pairs.first.row, &insert)
      // The edit had made the row, and nobody wrote to it: it goes with the edit.
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

  /// A row that is in all three: each value is the snapshot's, unless it was written since.
  private mutating func mergeRow(
    _ old: borrowing Statement, _ base: borrowing Statement, _ present: borrowing Statement,
    _ insert: inout Statement
  ) throws {
    var touched: Set<Int> = []
    for column in contentColumns
    where !base.holds(at: column, sameAs: present, at: column, by: .identical) {
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
    if !touched.isEmpty { counts.countChanged(old.int64(at: 1)) }
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
  /// The columns that a value of the target is made of; the first three are keys and counters.
  var usedColumns: Set<Int> {
    cells.reduce(into: [0, 1, 2]) { $0.formUnion(columns(of: $1)) }
  }
}
