import Platform
import StoreExchange
package import SQLite
package import StoreFormat
package import Migrations
package import RowRewriting
import OutboxConversion
package import StoreProof
import StoreModel

/// Creates a plan: reads every row that a migration changes, and writes nothing.
package struct Planner {
  package let route: Route
  package let request: MigrationRequest
  package let store: StoreDescription

  /// The files that the rows are read from.
  package let files: StoreFiles

  /// The files of the store that `apply` replaces, if the rows are read from its snapshot.
  var replacedFiles: StoreFiles?

  /// Whether examples include values, except secrets.
  var showsValues = false

  /// Whether no other process uses the store.
  ///
  /// Only then do two connections read the same rows.
  var isUnshared = false

  /// The warnings about the store's files.
  var fileWarnings: [PlanWarning] = []

  /// The other processes that have the store open.
  var holders: [Holder] = []

  /// Masks the values in examples.
  package var mask: ValueMask { ValueMask(of: [store], showsValues: showsValues) }

  /// Returns the plan of the store that a connection reads.
  func plan(_ connection: borrowing Connection) throws -> Plan {
    let owner = try owner(connection)
    return try plan(program(options: owner.options), owner: owner, connection)
  }

  /// Returns the plan of a program for the store.
  func plan(
    _ program: StoreProgram, owner: OwnerOption, _ connection: borrowing Connection
  ) throws -> Plan {
    let seen = try read(program, owner: owner, connection)
    let counts = try rowCounts(of: program, seen.tallies, connection)
    let losses = try losses(program, seen.tallies, counts, connection)
    // Before losses without rows are left out: accepting one of them isn't a mistake.
    try request.checkAcceptedLosses(among: losses, of: route)
    let refusals = program.rewrites.compactMap { seen.tallies[$0.table.name]?.refusal }
    return Plan(
      app: route.source.app, from: route.source.name, to: route.target.name,
      migrations: route.migrations.map(\.name),
      steps: steps(counts, losses),
      conversions: try program.conversions(seen.tallies, connection),
      losses: losses.filter { $0.rows > 0 },
      warnings: try warnings(
        program, seen.tallies, owner: owner,
        ofRows: seen.warnings + storeWarnings(connection), seen.delivery),
      blockers: refusals.map(PlanBlocker.init),
      rowsWritten: seen.tallies.rowsWritten, rows: request.rows, delivery: seen.delivery,
      examples: seen.examples,
      neededBytes: try files.neededBytes(connection))
  }

  package func owner(_ connection: borrowing Connection) throws -> OwnerOption {
    try OwnerOption(
      given: request.userID, model: route.source.model,
      layout: store.layout(of: route.source.model),
      connection: connection, schema: "main")
  }

  package func program(options: [MigrationOption: Value]) throws -> StoreProgram {
    let program = try ProgramBuilder(
      lineage: route.lineage, source: route.source.model, target: route.target.model, store: store,
      options: options, rows: request.rows
    ).program()
    try route.check(request.rows)
    guard request.rows == .documented || program.delivery != nil || route.migrations.isEmpty else {
      throw route.noDelivery
    }
    return program
  }

  /// What was found in the rows of a store.
  private struct Seen {
    var tallies: [String: Tally] = [:]
    var warnings: [PlanWarning] = []
    var examples: [PlanExample] = []
    var delivery: DeliveryCounts?
  }

  /// Reads every row of the tables that change.
  private func read(
    _ program: StoreProgram, owner: OwnerOption, _ connection: borrowing Connection
  ) throws -> Seen {
    var seen = Seen()
    for rows in program.rewrites {
      if let delivery = program.delivery(of: rows) {
        let pass = try deliver(rows, delivery, connection)
        seen.tallies[rows.table.name] = pass.tally
        seen.delivery = pass.counts
        continue
      }
      let reading = TableReading(rows, of: program, owner: owner.value, mask)
      let found = try reading.seen(connection, alsoIn: isUnshared ? files.path : nil)
      seen.tallies[rows.table.name] = found.tally
      seen.warnings += found.warnings
      seen.examples += found.examples.examples
      seen.delivery = seen.delivery ?? found.delivery
    }
    return seen
  }

  /// Decides what happens to the rows of an outbox with `--rows deliverable`.
  private func deliver(
    _ rows: RowProgram, _ delivery: Delivery, _ connection: borrowing Connection
  ) throws -> DeliveryPass {
    var pass = try DeliveryPass(rows, delivery, connection, schema: "main", hasFacts: false)
    var query = try connection.prepare(rows.query(schema: "main"), isPersistent: true)
    while try query.step() { _ = try pass.outcome(of: query, connection) }
    return pass
  }

  /// Counts the rows of each of the source's entities that a step or a loss refers to.
  ///
  /// Tables that were read completely aren't counted again.
  func rowCounts(
    of program: StoreProgram, _ tallies: [String: Tally], _ connection: borrowing Connection
  ) throws -> [String: Int64] {
    var known: [String: Int64] = [:]
    for rows in program.rewrites where rows.carriesAllRows && program.delivery(of: rows) == nil {
      let tally = tallies[rows.table.name]
      known[rows.sourceTable] = tally.map { $0.rows + ($0.refusal?.count ?? 0) }
    }
    let named =
      route.lineage.steps.compactMap(\.source) + route.lineage.droppedEntities.compactMap(\.source)
    var counts = try EntityCounts(layout: program.sourceLayout)
      .counts(of: Set(named), connection, knowing: known)
    // Of an outbox in deliverable form, only the rows that are written change.
    if let rows = program.delivery?.program, counts[rows.sourceEntity] != nil {
      counts[rows.sourceEntity] = tallies[rows.table.name]?.rows
    }
    return counts
  }

  /// Returns the losses, including those without rows.
  func losses(
    _ program: StoreProgram, _ tallies: [String: Tally], _ counts: [String: Int64],
    _ connection: borrowing Connection
  ) throws -> [PlannedLoss] {
    try program.losses(tallies, connection) + route.entityLosses(counts)
      + mirroringLosses(connection)
  }

  func steps(_ counts: [String: Int64], _ losses: [PlannedLoss]) -> [PlannedStep] {
    let removed = route.lineage.removedRows
    let kept = Set(route.lineage.entities.values.compactMap(\.source))
    let withHeirs = route.source.model.countingHeirs(counts, kept: kept)
    return route.lineage.steps.enumerated().map { place, traced in
      let removal = removed.first { $0.place == place }
      let step = removal?.step ?? "\(traced.migration):\(traced.step.object)"
      // Integers become real numbers without loss, unless a loss says otherwise, and other values
      // are restored unless some of this store are lost.
      let loses = losses.contains { $0.step == step && $0.rows > 0 }
      let isReversible =
        loses
        ? traced.isReversible && !traced.step.replacesValues
        : traced.isReversible || traced.step.makesReal
      return PlannedStep(
        migration: traced.migration, verb: traced.step.verb, object: traced.step.object,
        newName: traced.step.newName,
        rows: (removal == nil
          ? traced.source.flatMap { (traced.step.isAboutProperty ? withHeirs : counts)[$0] }
          : losses.first { $0.step == step }?.rows) ?? 0,
        isReversible: isReversible)
    }
  }
}

extension Route {
  /// Returns the losses of entities that the target doesn't have.
  func entityLosses(_ counts: [String: Int64]) -> [PlannedLoss] {
    lineage.droppedEntities.compactMap { dropped in
      dropped.source.map { source in
        PlannedLoss(
          step: dropped.step, object: dropped.name,
          rows: counts[source] ?? 0)
      }
    }
  }
}

extension Model {
  /// Returns the number of rows of each entity, with those of the kept entities that inherit from it.
  fileprivate func countingHeirs(
    _ counts: [String: Int64], kept: Set<String>
  ) -> [String: Int64] {
    var sums: [String: Int64] = [:]
    for (entity, count) in counts {
      for ancestor in chain(from: entity) where ancestor == entity || kept.contains(entity) {
        sums[ancestor, default: 0] += count
      }
    }
    return sums
  }
}

extension OwnerOption {
  package var options: [MigrationOption: Value] { value.map { [.userID: $0] } ?? [:] }
}

extension [String: Tally] {
  /// The number of rows that are rewritten.
  var rowsWritten: Int64 { values.reduce(0) { $0 + $1.rows } }
}

extension MigrationRequest {
  /// Throws if the request accepts a loss that no step of the route causes.
  ///
  /// Steps of other migrations don't matter: a script for stores of several versions names them all.
  func checkAcceptedLosses(among losses: [PlannedLoss], of route: Route) throws(RequestError) {
    guard !route.migrations.isEmpty else { return }
    let known = losses.map(\.step)
    for step in acceptedLosses where step != "all" && !known.contains(step) {
      let migration = step.split(separator: ":").first.map(String.init)
      let isElsewhere =
        migration != step && !route.migrations.contains { $0.name == migration }
      guard isElsewhere else { throw .unknownLoss(step, known: known) }
    }
  }

  /// Throws if rows or values would be lost and the request doesn't accept it.
  func checkAllAccepted(_ losses: [PlannedLoss]) throws(RequestError) {
    guard !acceptedLosses.contains("all") else { return }
    let open = losses.filter { $0.rows > 0 && !acceptedLosses.contains($0.step) }
    if !open.isEmpty { throw .dataLoss(open) }
  }
}
