import StoreMigration
import SQLite
import StoreFormat
import StoreModel
import Migrations
import RowRewriting
import StoreProof

/// A row at one version between source and target.
struct RowStage {
  /// The content of a property.
  enum Content: Hashable {
    case value(Value, AttributeType)

    /// A link: the destination's entity, and the row's key or `nil`.
    case link(String, Int64?)

    /// Whether there is neither a value nor a linked row.
    var isNothing: Bool {
      switch self {
      case .value(let value, _): value.isNull
      case .link(_, let key): key == nil
      }
    }

    /// Returns whether two properties have the same content, regardless of types and entities.
    func holdsSame(as other: Content?) -> Bool {
      switch (self, other) {
      case (.value(let value, _), .value(let other, _)): value == other
      case (.link(_, let key), .link(_, let other)): key == other
      default: false
      }
    }
  }

  /// The version.
  let version: ModelVersion

  /// The row's entity at the version; `nil` if the row has no place there.
  let entity: String?

  /// The contents of its properties; a composite's leaf is `attribute.leaf`.
  let contents: [String: Content]
}

/// Computes a row at each version between source and target, with the code that `apply` runs.
struct RowStages {
  let planner: Planner
  let row: RowPlace
  let options: [MigrationOption: Value]

  /// Returns the row at a version, by the lineage from the source to that version.
  func stage(
    at version: ModelVersion, by lineage: Lineage, _ connection: borrowing Connection
  ) throws -> RowStage {
    let program = try ProgramBuilder(
      lineage: lineage, source: planner.route.source.model, target: version.model,
      store: planner.store, options: options
    ).program()
    let entity = program.entityNumbers[row.number].flatMap {
      program.targetLayout.numbering.name(of: Int($0))
    }
    try program.removals?.prepare(connection, schema: "main")
    let removal = try program.removals?.removal(of: row.key, in: row.table.name, connection)
    guard let entity, removal == nil else {
      return RowStage(version: version, entity: nil, contents: [:])
    }
    for action in program.actions where action.sourceTable == row.table.name {
      switch action {
      case .carry(let name):
        guard let table = program.targetLayout.tables.first(where: { $0.name == name }) else {
          continue
        }
        let values = try carriedValues(table, connection)
        return stage(version, entity, table, values)
      case .rewrite(let rows) where rows.split != nil: continue
      case .rewrite(let rows):
        return stage(version, entity, rows.table, try madeValues(rows, connection))
      case .create, .rejoin: continue
      }
    }
    return RowStage(version: version, entity: entity, contents: [:])
  }

  /// Returns what `apply` would count for this row alone.
  func tally(_ rows: RowProgram, _ connection: borrowing Connection) throws -> Tally {
    try rows.prepare(connection, schema: "main")
    var evaluator = RowEvaluator(rows)
    var query = try connection.prepare(query(rows))
    try query.bindInt64(row.key, at: 1)
    if try query.step() { try Self.read(query, &evaluator) }
    return evaluator.finish()
  }

  /// Reads a row; throws the error if formulas refuse it.
  private static func read(
    _ row: borrowing Statement, _ evaluator: inout RowEvaluator
  ) throws {
    guard try !evaluator.read(row), let refusal = evaluator.tally.refusal else { return }
    throw refusal
  }

  private func carriedValues(
    _ table: Table, _ connection: borrowing Connection
  ) throws -> [Value] {
    let names = table.columns.map { quoteIdentifier($0.name) }.joined(separator: ", ")
    return try connection.rows(
      "SELECT \(names) FROM \(qualified(table.name, in: "main")) WHERE Z_PK = ?1",
      [.integer(row.key)]
    ).first ?? []
  }

  private func madeValues(
    _ rows: RowProgram, _ connection: borrowing Connection
  ) throws -> [Value] {
    try rows.prepare(connection, schema: "main")
    var evaluator = RowEvaluator(rows)
    var query = try connection.prepare(query(rows))
    try query.bindInt64(row.key, at: 1)
    guard try query.step() else { return [] }
    try Self.read(query, &evaluator)
    var values: [Value] = []
    for cell in rows.cells { values.append(try evaluator.evaluate(cell, query)) }
    return values
  }

  private func query(_ rows: RowProgram) -> String {
    "SELECT * FROM (\(rows.query(schema: "main"))) WHERE \"Z_PK\" = ?1"
  }

  private func stage(
    _ version: ModelVersion, _ entity: String, _ table: Table, _ values: [Value]
  ) -> RowStage {
    let chain = version.model.chain(from: entity)
    var contents: [String: RowStage.Content] = [:]
    for (column, value) in zip(table.columns, values) {
      switch column.content {
      case .attribute(let owner, let path, let type) where chain.contains(owner):
        contents[path.joined(separator: ".")] = .value(value, type)
      case .foreignKey(let owner, let name) where chain.contains(owner):
        let destination = version.model.relationship(named: name, of: entity)
        contents[name] = .link(
          destination?.relationship.destinationName ?? "", value.int64)
      default: continue
      }
    }
    return RowStage(version: version, entity: entity, contents: contents)
  }
}
