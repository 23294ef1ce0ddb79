import Platform
import RowRewriting
import StoreExchange
import StoreFormat
package import SQLite
public import Migrations
import OutboxConversion
import StoreProof

extension StoreMigrator {
  /// Creates a plan of a migration, without changing a byte of the store.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - request: The target and the options.
  ///   - showsValues: Whether examples include values, except secrets.
  ///   - checksIntegrity: Whether to run SQLite's integrity check, without which damage may pass.
  /// - Returns: The plan, with what `apply` would refuse as ``Plan/blockers``.
  /// - Throws: A ``MigrationError`` if the store can't be read or migrated.
  /// - Complexity: O(n) in the number of rows, in constant memory.
  public func plan(
    for path: String, _ request: MigrationRequest = MigrationRequest(), showsValues: Bool = false,
    checksIntegrity: Bool = true
  ) throws(MigrationError) -> Plan {
    try planned(for: path, request, showsValues: showsValues) {
      planner, connection in
      try planner.reviewedPlan(
        typed: path, checksIntegrity: checksIntegrity, connection)
    }
  }

  /// Creates a plan that can be saved, with sketches of the rows that it is created from.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - request: The target and the options.
  ///   - migrationFolder: The folder of migrations as typed, for the file.
  ///   - showsValues: Whether examples include values, except secrets.
  ///   - checksIntegrity: Whether to run SQLite's integrity check.
  /// - Returns: The content of the plan file.
  /// - Throws: A ``MigrationError`` if the store can't be read or migrated.
  /// - Complexity: O(n) in the number of rows, in constant memory.
  package func planFile(
    for path: String, _ request: MigrationRequest = MigrationRequest(),
    migrationFolder: String? = nil, showsValues: Bool = false, checksIntegrity: Bool = true
  ) throws(MigrationError) -> PlanFile {
    try planned(for: path, request, showsValues: showsValues) {
      planner, connection in
      let plan = try planner.reviewedPlan(
        typed: path, checksIntegrity: checksIntegrity, connection)
      var data: [String: RowSketch] = [:]
      for input in try planner.inputs(connection) {
        data[input.table] = try input.sketch(connection)
      }
      var file = PlanFile(
        tool: PlanFile.tool, store: (planner.replacedFiles ?? planner.files).name, request: request,
        migrationFolder: migrationFolder, sources: PlanSources(planner.route, in: catalog),
        data: data, plan: plan)
      file.seal = file.contentSeal
      return file
    }
  }

  /// Returns the SQL statements that make the new store, for reading.
  ///
  /// The outbox's rows in the deliverable form have no statement: each is decided in turn.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - request: The target and the options.
  /// - Returns: The statements, without values of rows: the owner of rows is `:user_id`.
  /// - Throws: A ``MigrationError`` if the store can't be read or migrated.
  package func script(
    for path: String, _ request: MigrationRequest
  ) throws(MigrationError) -> [String] {
    try planned(for: path, request) { planner, connection in
      guard !planner.route.migrations.isEmpty else { return [] }
      let program = try planner.program(options: [:])
      return try NewStore(
        program: program, store: planner.store, target: planner.route.target
      )
      .script(connection) { program.delivery(of: $0) != nil }.map(\.text)
    }
  }

  /// Reads the rows that a request is about, in one transaction.
  ///
  /// They are those of the store; for deliverable rows in place of documented ones, those of the
  /// snapshot that the documented rows were made from.
  package func planned<Result>(
    for path: String, _ request: MigrationRequest, showsValues: Bool = false,
    _ body: (Planner, borrowing Connection) throws -> Result
  ) throws(MigrationError) -> Result {
    try reported(path) {
      let inspection = try StoreInspection(path: path, catalog: catalog)
      guard let outbox = try DocumentedOutbox(of: inspection, request, catalog) else {
        return try read(inspection, try planner(of: inspection, request, showsValues), body)
      }
      try outbox.snapshot.check(outbox.receipt)
      let old = try StoreInspection(path: outbox.snapshot.mainFile.path, catalog: catalog)
      var planner = try planner(of: old, request, showsValues)
      planner.replacedFiles = inspection.files
      planner.fileWarnings = inspection.warnings + [outbox.warning]
      planner.holders = inspection.holders
      return try read(old, planner, body)
    }
  }

  private func planner(
    of inspection: borrowing StoreInspection, _ request: MigrationRequest, _ showsValues: Bool
  ) throws -> Planner {
    let version = try inspection.startingVersion(for: request)
    return Planner(
      route: try Route(from: version, to: request, catalog: catalog), request: request,
      store: inspection.store, files: inspection.files, showsValues: showsValues,
      isUnshared: !inspection.isShared, fileWarnings: inspection.warnings,
      holders: inspection.holders)
  }

  /// Reads a store in one transaction, so that all queries see the same state.
  private func read<Result>(
    _ inspection: borrowing StoreInspection, _ planner: Planner,
    _ body: (Planner, borrowing Connection) throws -> Result
  ) throws -> Result {
    try inspection.reading {
      try inspection.connection.begin(.deferred)
      let result = try body(planner, inspection.connection)
      try inspection.connection.rollback()
      return result
    }
  }
}

extension Planner {
  /// The tables that the plan is created from.
  func inputs(_ connection: borrowing Connection) throws -> [PlanInput] {
    try program(options: owner(connection).options)
      .inputs(readsOwner: readsOwner, linked: route.lineage.linkedValues)
  }

  /// Whether the owner of rows is taken from the store.
  private var readsOwner: Bool { request.userID == nil && route.lineage.needs(.userID) }
}
