import Processes
import SafeText
import StoreMigration
import JSONText
import MigrationMonitoring
import Platform
import TerminalOutput

/// `apply` on many stores in parallel, by processes that each migrate one store after another.
///
/// A store that fails, or whose process is killed, doesn't affect the others. If the command runs
/// again, it skips migrated stores, and completes or discards interrupted migrations.
struct ApplyFleet {
  let globals: GlobalOptions

  /// The paths of the stores, as typed.
  let stores: [String]

  /// The number of parallel processes.
  let jobs: Int

  /// The options of every process.
  let options: [String]

  /// A Boolean value indicating whether to print each store's document as a line.
  let printsLines: Bool

  /// The limits within which the run counts as done.
  let limits: FleetLimits

  /// The events, metrics and rates of the run.
  let monitor: ApplyMonitor

  /// Migrates the stores and returns the highest exit status.
  func run(in terminal: Terminal) throws -> Int32 {
    let stores = distinctStores()
    let command =
      [try Program.path, "apply", "--json", "--takes-more"]
      + (globals.progress ? ["--progress"] : []) + options + ["--"]
    var outcome = FleetOutcome(stores: stores, keepingDocuments: globals.json, limits: limits)
    let bytes = stores.map { RunMonitor.bytes(of: $0) }
    var printing = DeferredPrinting()
    try Program.distribute(
      stores, to: command, atOnce: jobs, sharingErrors: globals.progress
    ) { index, end in
      let result = StoreResult(stores[index], end)
      outcome.add(result, at: index)
      monitor.run.add(result.migration, bytes: bytes[index])
      printing.hasChangedFiles = printing.hasChangedFiles || result.isChanged
      printing.attempt { () throws(SystemError) in try report(result, terminal) }
    }
    printing.attempt { () throws(SystemError) in try report(outcome, terminal) }
    for _ in 0..<outcome.unstarted { monitor.run.add(nil, bytes: 0) }
    try printing.finish()
    try monitor.finish()
    return outcome.exitStatus.rawValue
  }

  /// Reports a finished store, unless one document at the end reports all.
  private func report(_ result: StoreResult, _ terminal: Terminal) throws(SystemError) {
    if printsLines { return try terminal.output.print(result.line + "\n") }
    if globals.json { return }
    let sentence = result.sentence(Style(terminal, globals))
    if result.isDone {
      try terminal.print([sentence])
    } else {
      try terminal.error.print(sentence + "\n")
    }
  }

  /// Reports all stores at the end.
  private func report(_ outcome: FleetOutcome, _ terminal: Terminal) throws(SystemError) {
    if globals.json { return try terminal.print(document: outcome.members) }
    guard printsLines else { return try terminal.print(outcome.lines(Style(terminal, globals))) }
    let summary = JSONValue.object([.init("format_version", 1)] + outcome.summary)
    try terminal.output.print(summary.text() + "\n")
  }

  /// Returns each store once: two processes on one store would block each other.
  private func distinctStores() -> [String] {
    var seen: Set<FileIdentity> = []
    return stores.filter { store in
      guard let status = try? FileStatus(of: store) else { return true }
      return seen.insert(status.identity).inserted
    }
  }
}
