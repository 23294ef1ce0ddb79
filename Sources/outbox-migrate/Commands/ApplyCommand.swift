import CommandLineKit
import InputFiles
import MigrationMonitoring
import Migrations
import Platform
import Processes
import SafeText
import StoreMigration
import TerminalOutput

/// `apply`: migrates stores, or applies a saved plan.
struct ApplyCommand: Command, Reporting {
  static let name = "apply"
  static let abstract = "Take a snapshot of a store, then migrate it."
  static let discussion = """
    'apply' asks no questions. It writes a new store beside the old one, compares the two value \
    by value, and then replaces the old one. 'rollback' restores the snapshot.

    A value that can't be restored from the target version is a loss: it has no place there, or \
    is rounded. You accept a loss by the name of its step, as 'plan' shows it. Exits with 7 if a \
    loss isn't accepted.

    By default, outbox rows follow Lume's migration document. The shipped V7 app can't process \
    those; use '--rows deliverable'.

    Instead of a store, you can give a saved plan: 'apply' then does exactly what the plan says, \
    to the store beside the plan file, or to the store that you name after it. The plan contains \
    '--to', '--user-id', '--rows', '--accept-data-loss' and '--cloudkit'; don't repeat them. Exits \
    with 3 if the store or a migration has changed since the plan was created.

    A store that mirrors to CloudKit is refused (4) unless you give '--cloudkit carry', which was \
    never tried with a real mirrored store.
    """

  static let stores = Argument<[StorePath]>(
    "store", help: "A store's main file; or a saved plan, optionally followed by its store.",
    completion: .file)
  static let lockTimeout = Option<Duration?>(
    "--lock-timeout", valueName: "duration",
    help: "How long to wait while another process uses the store, such as 10s.")
  static let jobs = Option<Int?>(
    "--jobs", valueName: "n", in: 1...256,
    help: "The number of processes that migrate stores in parallel, each one after another.")
  static let jsonLines = Flag(
    "--json-lines", help: "Print one JSON document per line, as soon as its store is done.")
  static let takesMore = Flag(
    "--takes-more", help: "Take further stores from standard input, as '--jobs' gives them.",
    isHidden: true)
  static let dryRun = Flag("--dry-run", help: "Not an option: use 'plan'.", isHidden: true)
  static var parameters: [any Parameter] {
    [stores] + RequestOptions.parameters
      + MonitoringOptions.parameters + [
        lockTimeout, jobs, jsonLines, GlobalOptions.model, GlobalOptions.progress, takesMore,
        dryRun,
      ]
  }

  let globals: GlobalOptions
  let stores: [String]
  let options: RequestOptions
  let lockTimeout: Duration?
  let jobs: Int?
  let printsLines: Bool
  let takesMore: Bool
  let monitoring: MonitoringOptions

  init(_ input: borrowing Input) throws(UsageError) {
    if input[Self.dryRun] {
      throw .refused("unknown option '--dry-run'; use 'outbox-migrate plan', which writes nothing")
    }
    globals = GlobalOptions(input, takingLong: true, takingModel: true)
    stores = input[Self.stores].map(\.path)
    options = RequestOptions(input)
    lockTimeout = input[Self.lockTimeout]
    jobs = input[Self.jobs]
    printsLines = input[Self.jsonLines]
    takesMore = input[Self.takesMore]
    monitoring = MonitoringOptions(input)
  }

  func run(in terminal: Terminal) throws -> Int32 {
    if let plan = try planPath() { return try apply(planAt: plan, in: terminal) }
    let monitor = try ApplyMonitor(monitoring)
    if jobs != nil || printsLines || monitoring.limits.areGiven {
      let fleet = try fleet(monitor)
      if !globals.json && !printsLines { noteModels(in: terminal) }
      return try fleet.run(in: terminal)
    }
    let migrator = StoreMigrator(catalog: try Catalog(globals))
    let request = try options.request(migrator.catalog)
    let status =
      takesMore
      ? try Program.answer(stores[0]) {
        try migrate([$0], request, globals, migrator, monitor, in: terminal)
      } : try migrate(stores, request, globals, migrator, monitor, in: terminal)
    try monitor.finish()
    return status
  }

  /// Migrates stores as a request or a saved plan says, and returns the highest exit status.
  private func migrate(
    _ stores: [String], _ request: MigrationRequest, plan: PlanFile? = nil,
    _ globals: GlobalOptions, _ migrator: StoreMigrator, _ monitor: ApplyMonitor,
    in terminal: Terminal
  ) throws -> Int32 {
    let globals = globals.naming(migrator.catalog, request, stores: stores)
    return try StoreWork(globals, outline(request)) { path, display throws(MigrationError) in
      let progress = { (phase: ApplyPhase) -> Void in display?.begin(phase.rawValue) }
      let (report, expected) = try monitor.run.migrating(
        path, request, migrator, tracking: display?.track
      ) {
        () throws(MigrationError) in
        guard let plan else {
          return try migrator.apply(
            to: path, request, lockTimeout: lockTimeout, progress: progress)
        }
        return try migrator.apply(plan, to: path, lockTimeout: lockTimeout, progress: progress)
      }
      return ApplyOutcome(
        report: report, options: request.words, expected: expected, tellsTime: monitor.run.hasRates)
    }
    .run(on: stores, in: terminal)
  }

  /// Says whether a store confirms the models, before the processes migrate the stores.
  ///
  /// A model that can't be read is left to the processes.
  private func noteModels(in terminal: Terminal) {
    guard let catalog = try? Catalog(globals), let request = try? options.request(catalog) else {
      return
    }
    terminal.note(globals.naming(catalog, request, stores: stores).models)
  }

  private func outline(_ request: MigrationRequest) -> WorkOutline {
    request.rows == .deliverable ? .applyDeliverable : .apply
  }

  /// Returns the parallel run: processes with the same options, which take one store after another.
  private func fleet(_ monitor: ApplyMonitor) throws -> ApplyFleet {
    if printsLines && globals.json {
      throw UsageError.refused("'--json' and '--json-lines' exclude each other; give one")
    }
    let folder =
      (globals.migrations.map { ["--migrations=\($0)"] } ?? [])
      + globals.model.map { "--model=\($0)" }
    let timeout = lockTimeout.map { ["--lock-timeout=\($0.argumentText)"] } ?? []
    return ApplyFleet(
      globals: globals, stores: stores, jobs: jobs ?? 1,
      options: options.arguments + timeout + folder, printsLines: printsLines,
      limits: monitoring.limits, monitor: monitor)
  }

  /// Returns the path of the plan if the first argument is one, else `nil`.
  private func planPath() throws -> String? {
    guard let index = stores.firstIndex(where: { PlanFile.isPlan(at: $0) }) else {
      try refuseDamagedPlan()
      return nil
    }
    let path = stores[index]
    if index > 0 || stores.count > 2
      || stores.dropFirst().contains(where: { PlanFile.isPlan(at: $0) })
    {
      throw UsageError.refused("'\(path)' is a plan; give it alone, or followed by its store")
    }
    if jobs != nil || printsLines || monitoring.limits.areGiven {
      throw UsageError.refused(
        "'\(path)' is a plan for one store; leave out "
          + (jobs != nil ? "'--jobs'" : printsLines ? "'--json-lines'" : "the limits"))
    }
    if let option = options.firstGiven {
      throw UsageError.refused("'\(option)' is part of a plan; give it to 'plan --out' instead")
    }
    return path
  }

  /// Refuses two arguments of which the first is neither a plan nor a store.
  ///
  /// The first is probably a damaged plan; migrating the second without it would surprise.
  private func refuseDamagedPlan() throws(Failure) {
    guard stores.count == 2, !PlanFile.isStoreLike(stores[0]) else { return }
    throw (try? FileSystem.exists(stores[0])) != false
      ? Failure(
        .badFile, "'\(stores[0])' is neither a plan nor a store; '\(stores[1])' is unchanged"
      )
      : Failure(
        .noStore, "there is no plan or store '\(stores[0])'; '\(stores[1])' is unchanged")
  }

  private func apply(planAt path: String, in terminal: Terminal) throws -> Int32 {
    var plan = try PlanFile(at: path)
    var globals = globals
    let typed = globals.migrations
    globals.migrations = typed ?? plan.migrationFolder
    let migrator: StoreMigrator
    do throws(Failure) {
      migrator = StoreMigrator(catalog: try Catalog(globals))
      try plan.request.readSchema(migrator.catalog)
    } catch {
      if error.status == .noStore, typed == nil {
        terminal.printError("Note: paths in a plan start at the folder in which 'plan' ran.\n")
      }
      throw error
    }
    let store = stores.dropFirst().first ?? plan.storePath(beside: path)
    if stores.count == 1, (try? FileSystem.exists(store)) == false {
      terminal.printError(
        "Note: a plan's store is beside it, unless you give it: apply \(path.shellPath) STORE\n")
    }
    let monitor = try ApplyMonitor(monitoring)
    let status = try migrate(
      [store], plan.request, plan: plan, globals, migrator, monitor, in: terminal)
    try monitor.finish()
    return status
  }
}
