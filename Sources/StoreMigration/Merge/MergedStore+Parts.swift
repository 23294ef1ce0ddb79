import Migrations
import RowRewriting
import SQLite
import StoreFormat
import StoreModel
import StoreProof

/// Rows whose values the migration copied to the rows that link to them, the owners.
extension MergedStore {
  /// Writes values of owners that were written since to the rows that they came from.
  ///
  /// The rows are the snapshot's. An owner's values replace those of its row if all owners of that
  /// row have the same ones; otherwise the owner gets a row of its own, unless it has no values.
  ///
  /// - Precondition: The owners and the highest keys are merged.
  func mergeParts(_ connection: borrowing Connection, _ outcome: inout Outcome) throws {
    for action in program.actions {
      guard case .rewrite(let rows) = action, let split = rows.split else { continue }
      var merge = PartMerge(rows, split, in: self)
      try merge.run(connection)
      outcome.merged.append(merge.change)
    }
  }
}

/// Merges the rows of one table, whose values are those of their owners in the new version.
private struct PartMerge: ~Copyable {
  let rows: RowProgram
  let split: SplitRows
  let store: MergedStore
  private var evaluator: RowEvaluator
  private var added: Int64 = 0
  private var changed: Int64 = 0

  /// The owners' columns that the values are computed from.
  private let contentColumns: [Int]

  /// The cells with those values.
  private let places: [Int]

  init(_ rows: RowProgram, _ split: SplitRows, in store: MergedStore) {
    self.rows = rows
    self.split = split
    self.store = store
    evaluator = RowEvaluator(rows)
    contentColumns = rows.usedColumns.filter { $0 > 2 }.sorted()
    places = rows.cells.indices.filter { place in
      rows.columns(of: rows.cells[place]).contains { $0 > 2 }
    }
  }

  var change: EntityChange {
    EntityChange(entity: split.target, added: added, changed: changed, removed: 0)
  }

  private var parts: String { qualified(rows.table.name, in: store.result) }
  private var owners: String { qualified(split.ownerTable, in: store.result) }
  private var link: String { quoteIdentifier(split.link) }

  mutating func run(_ connection: borrowing Connection) throws {
    let old = qualified(split.ownerTable, in: Replay.oldSchema)
    // A new owner has no row yet.
    try connection.execute(
      "UPDATE \(owners) SET \(link) = NULL WHERE Z_PK NOT IN (SELECT Z_PK FROM \(old))")
    let base = try RowCursor(
      rows.query(schema: store.replay.schema(of: rows.sourceTable)), connection)
    let present = try RowCursor(rows.query(schema: store.schema), connection)
    var pairs = RowPairs(base, present)
    while let match = try pairs.next() {
      if match == .onlyInFirst { continue }
      if match == .both,
        pairs.first.row.holds(at: contentColumns, sameAs: pairs.second.row, by: .identical)
      {
        continue
      }
      try merge(pairs.second.row, connection)
    }
    try emptyInverses(connection)
  }

  /// Empties the columns of a to-one inverse that name an owner which has another row now, or is gone.
  private func emptyInverses(_ connection: borrowing Connection) throws {
    for (column, cell) in zip(rows.table.columns, rows.cells) {
      guard case .foreignKey(let entity, let name) = column.content, cell == .column(0) else {
        continue
      }
      let key = quoteIdentifier(column.name)
      let number = rows.table.column(.entityKey(entity: entity, relationship: name))
      let names = [key] + [number].compactMap { $0.map { quoteIdentifier($0.name) } }
      func isLinked(in table: String) -> String {
        "EXISTS (SELECT 1 FROM \(table) AS o WHERE o.Z_PK = p.\(key) AND o.\(link) = p.Z_PK)"
      }
      let old = qualified(split.ownerTable, in: Replay.oldSchema)
      try connection.execute(
        """
        UPDATE \(parts) AS p SET \(names.map { "\($0) = NULL" }.joined(separator: ", "))
        WHERE \(isLinked(in: old)) AND NOT \(isLinked(in: owners))
        """)
    }
  }

  private mutating func merge(
    _ owner: borrowing Statement, _ connection: borrowing Connection
  ) throws {
    try evaluator.begin(owner)
    let key = owner.int64(at: 0)
    var values: [Value] = []
    for place in places { values.append(try evaluator.evaluate(rows.cells[place], owner)) }
    let part = try connection.rows(
      "SELECT \(link) FROM \(owners) WHERE Z_PK = ?1 AND \(link) IN (SELECT Z_PK FROM \(parts))",
      [.integer(key)]
    ).first?[0]
    if let part, try isAlone(key, part, connection) {
      let set = places.enumerated().map {
        "\(quoteIdentifier(rows.table.columns[$1].name)) = ?\($0 + 2)"
      }
      try connection.execute(
        "UPDATE \(parts) SET \(set.joined(separator: ", ")) WHERE Z_PK = ?1", [part] + values)
      changed += 1
      return
    }
    let isEmpty = contentColumns.allSatisfy { owner.isNull(at: $0) }
    guard !isEmpty || isMandatory else {
      try connect(key, to: .null, connection)
      return
    }
    try connect(key, to: add(owner, connection), connection)
  }

  /// Whether every owner has a row, even one without values.
  private var isMandatory: Bool {
    let model = store.replay.route.source.model
    let table = store.program.targetLayout.tables.first { $0.name == split.ownerTable }
    guard
      case .foreignKey(let entity, let name)? = table?.columns.first(where: {
        $0.name == split.link
      })?.content
    else { return false }
    return model.relationship(named: name, of: entity)?.relationship.isOptional == false
  }

  /// Returns whether the other owners of a row have the same values now.
  private func isAlone(
    _ key: Int64, _ part: Value, _ connection: borrowing Connection
  ) throws -> Bool {
    let names = contentColumns.map { rows.expression(ofColumn: $0, schema: store.schema) }
    let list = names.joined(separator: ", ")
    let table = qualified(rows.sourceTable, in: store.schema)
    let others = try connection.value(
      """
      SELECT (SELECT count(*) FROM (
        SELECT \(list) FROM \(table)
        WHERE Z_PK IN (SELECT Z_PK FROM \(owners) WHERE \(link) = ?2)
        EXCEPT SELECT \(list) FROM \(table) WHERE Z_PK = ?1))
      + (SELECT count(*) FROM \(owners)
        WHERE \(link) = ?2 AND Z_PK NOT IN (SELECT Z_PK FROM \(table)))
      """, [.integer(key), part])
    return others == 0
  }

  /// Adds a row for an owner, and returns its key.
  private mutating func add(
    _ owner: borrowing Statement, _ connection: borrowing Connection
  ) throws -> Value {
    let keys = qualified("Z_PRIMARYKEY", in: store.result)
    let number = Value.text(split.target)
    try connection.execute(
      """
      UPDATE \(keys) SET Z_MAX = 1 + max(Z_MAX, coalesce((SELECT max(Z_PK) FROM \(parts)), 0))
      WHERE Z_NAME = ?1
      """, [number])
    let key =
      try connection.value("SELECT Z_MAX FROM \(keys) WHERE Z_NAME = ?1", [number]) ?? .null
    var values: [Value] = []
    for (cell, column) in zip(rows.cells, rows.table.columns) {
      values.append(
        column.content == .primaryKey ? key : try evaluator.evaluate(cell, owner))
    }
    let names = rows.table.columns.map { quoteIdentifier($0.name) }.joined(separator: ", ")
    let marks = values.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    try connection.execute("INSERT INTO \(parts) (\(names)) VALUES (\(marks))", values)
    added += 1
    return key
  }

  private func connect(
    _ owner: Int64, to part: Value, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE \(owners) SET \(link) = ?2 WHERE Z_PK = ?1", [.integer(owner), part])
  }
}
