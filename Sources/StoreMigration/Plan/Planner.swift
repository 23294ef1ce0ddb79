import Platform
import SQLite
import StoreFormat
import StoreModel

/// Works out a plan: reads every row that a migration changes, and writes nothing.
struct Planner {
  let route: Route
  let request: MigrationRequest
  let store: StoreDescription
  let files: StoreFiles

  /// Makes the plan of a store that is read through a connection.
  func plan(_ connection: borrowing Connection) throws -> Plan {
    let owner = try owner(connection)
    let program = try program(options: owner.options)
    let (tallies, audits) = try tallies(of: program, owner: owner, connection)
    let counts = try rowCounts(of: program, connection)
    return Plan(
      app: route.source.app, from: route.source.name, to: route.target.name,
      migrations: route.migrations.map(\.name),
      steps: steps(counts), conversions: program.conversions(tallies),
      losses: try program.losses(tallies, connection) + route.entityLosses(counts),
      warnings: ownerWarnings(tallies, owner: owner, program) + program.linkWarnings(tallies)
        + audits,
      neededBytes: try neededBytes(connection))
  }

  func owner(_ connection: borrowing Connection) throws -> OwnerOption {
    try OwnerOption(
      given: request.userID, model: route.source.model,
      layout: StoreLayout(route.source.model, joinTableNames: store.tableNames),
      connection: connection, schema: "main")
  }

  func program(options: [MigrationOption: Value]) throws(ProgramError) -> StoreProgram {
    try ProgramBuilder(
      lineage: route.lineage, source: route.source.model, target: route.target.model, store: store,
      options: options
    ).program()
  }

  /// Reads every row of the tables that change, once.
  private func tallies(
    of program: StoreProgram, owner: OwnerOption, _ connection: borrowing Connection
  ) throws -> ([String: Tally], [PlanWarning]) {
    var tallies: [String: Tally] = [:]
    var warnings: [PlanWarning] = []
    for rows in program.rewrites where rows.needsReading {
      try rows.prepare(connection, schema: "main")
      var evaluator = RowEvaluator(rows)
      var audit = OutboxAudit(rows, owner: owner.value)
      var query = try connection.prepare(rows.query(schema: "main"), isPersistent: true)
      while try query.step() {
        try evaluator.read(query)
        audit?.look(at: query)
      }
      tallies[rows.table.name] = evaluator.finish()
      warnings += audit?.warnings ?? []
    }
    return (tallies, warnings)
  }

  /// The rows of each entity of the source.
  private func rowCounts(
    of program: StoreProgram, _ connection: borrowing Connection
  ) throws -> [String: Int64] {
    try EntityCounts(layout: program.sourceLayout).counts(connection, schema: "main")
  }

  private func steps(_ counts: [String: Int64]) -> [PlannedStep] {
    route.lineage.steps.map { traced in
      PlannedStep(
        migration: traced.migration, verb: traced.step.verb, object: traced.step.object,
        newName: traced.step.newName, rows: traced.source.flatMap { counts[$0] } ?? 0,
        isReversible: traced.step.isReversible)
    }
  }

  /// The new file, and as much again for the log of a store that has one.
  private func neededBytes(_ connection: borrowing Connection) throws -> Int64 {
    let pages = try connection.pragma("page_count").int64 ?? 0
    let pageSize = try connection.pragma("page_size").int64 ?? 0
    return pages * pageSize * 11 / 10 + 1_048_576
  }
}

extension Route {
  /// The rows of entities that the target doesn't have.
  func entityLosses(_ counts: [String: Int64]) -> [PlannedLoss] {
    lineage.droppedEntities.compactMap { dropped in
      guard let rows = dropped.source.flatMap({ counts[$0] }), rows > 0 else { return nil }
      return PlannedLoss(
        step: "\(dropped.migration):\(dropped.name)", object: dropped.name, rows: rows)
    }
  }
}

extension OwnerOption {
  var options: [MigrationOption: Value] { value.map { [.userID: $0] } ?? [:] }
}

extension RowProgram {
  /// A Boolean value indicating whether a plan has to look at the rows.
  var needsReading: Bool {
    !drops.isEmpty || !conversions.isEmpty
      || cells.contains { !missingOptions(in: $0).isEmpty }
  }
}
