import CommandLineKit
import Platform
import StoreMigration
import Migrations
import RowRewriting

/// `apply`: the migration itself.
struct ApplyCommand: Command, Reporting {
  static let name = "apply"
  static let abstract = "Migrate a store, after taking a snapshot of it."
  static let discussion = """
    Nothing is asked. The new store is written beside the old one and proven against it, value by \
    value, before it takes its place; 'rollback' takes it back to the snapshot.

    Values that have no place in the target are a loss, and a loss must be accepted by the name of \
    its step, as 'plan' shows it. Exits with 7 if one isn't.

    A plan that was saved is done exactly, to the store beside it or to the one that is named, \
    without further options. Exits with 3 if anything that it was made from has changed.
    """

  static let stores = Argument<[String]>(
    "store", help: "The main file of a store; or a plan, and its store if it lies elsewhere.",
    completion: .file)
  static let lockTimeout = Option<Duration?>(
    "--lock-timeout", valueName: "duration",
    help: "How long to wait for other processes to let go of the store, such as 10s.")
  static let jobs = Option<Int?>(
    "--jobs", valueName: "n", in: 1...256,
    help: "Migrate so many stores at a time, each in a process of its own.")
  static let jsonLines = Flag(
    "--json-lines", help: "Print one JSON document a line for each store when it is done.")
  static var parameters: [any Parameter] {
    [stores] + RequestOptions.parameters + [lockTimeout, jobs, jsonLines]
  }

  let globals: GlobalOptions
  let stores: [String]
  let options: RequestOptions
  let lockTimeout: Duration?
  let jobs: Int?
  let printsLines: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    stores = input[Self.stores]
    options = RequestOptions(input)
    lockTimeout = input[Self.lockTimeout]
    jobs = input[Self.jobs]
    printsLines = input[Self.jsonLines]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    if let plan = try planPath() { return try carryOut(plan, in: terminal) }
    if jobs != nil || printsLines { return try fleet().run(in: terminal) }
    let migrator = StoreMigrator(catalog: try Catalog(folder: globals.migrations))
    let request = try options.request()
    return try StoreWork(globals) { path throws(MigrationError) in
      let report = try migrator.apply(to: path, request, lockTimeout: lockTimeout) { phase in
        if globals.progress { terminal.tell(phase, of: path) }
      }
      return ApplyOutcome(report: report)
    }
    .run(on: stores, in: terminal)
  }

  /// The stores, each in a process of its own that is given the same options.
  private func fleet() throws -> ApplyFleet {
    if printsLines && globals.json {
      throw UsageError.refused("'--json' and '--json-lines' exclude each other; give one")
    }
    let folder = globals.migrations.map { ["--migrations=\($0)"] } ?? []
    let timeout = lockTimeout.map { ["--lock-timeout=\($0.argumentText)"] } ?? []
    return ApplyFleet(
      globals: globals, stores: stores, jobs: jobs ?? 1,
      options: options.arguments + timeout + folder, printsLines: printsLines)
  }

  /// The path of the plan, if that is what was given, alone or before its store.
  private func planPath() throws -> String? {
    guard let place = stores.firstIndex(where: { PlanFile.isPlan(at: $0) }) else {
      try refuseDamagedPlan()
      return nil
    }
    let path = stores[place]
    if place > 0 || stores.count > 2
      || stores.dropFirst().contains(where: { PlanFile.isPlan(at: $0) })
    {
      throw UsageError.refused("'\(path)' is a plan; give it alone, or first and then its store")
    }
    if jobs != nil || printsLines {
      throw UsageError.refused(
        "'\(path)' is a plan, which is for one store; leave out "
          + (jobs != nil ? "'--jobs'" : "'--json-lines'"))
    }
    if let option = options.firstGiven {
      throw UsageError.refused("'\(option)' can't be given with a plan; make the plan with it")
    }
    return path
  }

  /// Of two files the first may be meant as the second's plan.
  ///
  /// If it is neither a plan nor a store, the second isn't migrated without it.
  private func refuseDamagedPlan() throws(Failure) {
    guard stores.count == 2, !PlanFile.isStoreLike(stores[0]) else { return }
    throw (try? FileSystem.exists(stores[0])) != false
      ? Failure(
        .badFile, "'\(stores[0])' is neither a plan nor a store; nothing was done to '\(stores[1])'"
      )
      : Failure(
        .noStore, "there is no plan or store '\(stores[0])'; nothing was done to '\(stores[1])'")
  }

  private func carryOut(_ path: String, in terminal: Terminal) throws -> Int32 {
    var plan = try PlanFile(at: path)
    var globals = globals
    globals.migrations = globals.migrations ?? plan.migrationFolder
    let migrator = StoreMigrator(catalog: try Catalog(folder: globals.migrations))
    try plan.request.readSchema()
    let planned = plan
    return try StoreWork(globals) { store throws(MigrationError) in
      let report = try migrator.apply(planned, to: store, lockTimeout: lockTimeout) { phase in
        if self.globals.progress { terminal.tell(phase, of: store) }
      }
      return ApplyOutcome(report: report)
    }
    .run(on: [stores.dropFirst().first ?? plan.storePath(beside: path)], in: terminal)
  }
}
