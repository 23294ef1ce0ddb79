import InputFiles
import SafeText
import JSONText
import Platform
import StoreMigration
import OutboxConversion
import StoreProof
import TerminalOutput

/// Runs a command on each of its stores; a store that fails doesn't stop the others.
struct StoreWork<Outcome: Report> {
  let globals: GlobalOptions

  /// The phases of the work on a store; `nil` if its progress isn't shown.
  let outline: WorkOutline?

  /// Runs the command on the store at a path.
  let report: (String, ProgressDisplay?) throws(Failure) -> Outcome

  /// A path with the result of the command there.
  typealias StoreResult = (path: String, result: Result<Outcome, Failure>)

  /// Returns the lines of one report on all stores.
  typealias Summary = ([StoreResult]) -> [String]

  /// Writes one report on all stores; `nil` if each store has its own.
  var summarize: Summary?

  init(
    _ globals: GlobalOptions, _ outline: WorkOutline? = nil,
    _ report: @escaping (String) throws(MigrationError) -> Outcome
  ) {
    self.init(globals, outline) { path, _ throws(MigrationError) in try report(path) }
  }

  init(
    _ globals: GlobalOptions, _ outline: WorkOutline? = nil,
    _ report: @escaping (String, ProgressDisplay?) throws(MigrationError) -> Outcome
  ) {
    (self.globals, self.outline) = (globals, outline)
    self.report = { path, display throws(Failure) in
      do throws(MigrationError) {
        return try report(path, display)
      } catch {
        throw Failure(error)
      }
    }
  }

  init(
    _ globals: GlobalOptions, _ outline: WorkOutline? = nil,
    orFailing report: @escaping (String) throws(Failure) -> Outcome
  ) {
    (self.globals, self.outline) = (globals, outline)
    self.report = { path, _ throws(Failure) in try report(path) }
  }

  /// Runs the command on every store, and returns the highest exit status.
  ///
  /// If a report can't be printed, the remaining stores are still processed.
  func run(on paths: [String], in terminal: Terminal) throws(Failure) -> Int32 {
    var objects: [[JSONValue.Member]] = []
    var results: [StoreResult] = []
    var status: Int32 = 0
    var printing = DeferredPrinting()
    if !globals.json { terminal.note(globals.models) }
    for (index, path) in paths.enumerated() {
      let result = result(of: path, in: terminal)
      if summarize != nil { results.append((path, result)) }
      switch result {
      case .success(let report):
        status = max(status, report.exitStatus.rawValue)
        printing.hasChangedFiles = printing.hasChangedFiles || report.hasChangedFiles
        // The documents of thousands of stores are kept only for the one that is printed.
        if globals.json { objects.append(report.members) }
        status = max(status, reportLateSignal(report, path, terminal))
        if !globals.json, summarize == nil {
          let lines = (index > 0 ? [""] : []) + report.lines(Style(terminal, globals))
          printing.attempt { () throws(SystemError) in try terminal.print(lines) }
        }
      case .failure(let failure):
        status = max(status, failure.status.rawValue)
        objects.append([.init("store", .string(path)), .init("error", failure.json)])
        terminal.printError(failure.line)
      }
    }
    if globals.json {
      let stores = JSONValue.Member("stores", .array(objects.map { .object($0) }))
      let members = (paths.count == 1 ? objects.first ?? [] : [stores]) + globals.modelMembers
      printing.attempt { () throws(SystemError) in try terminal.print(document: members) }
    }
    if let summarize {
      printing.attempt { () throws(SystemError) in try terminal.print(summarize(results)) }
    }
    try printing.finish()
    return status
  }

  /// Says that a stop signal came too late to keep a store as it was, and returns its exit status.
  private func reportLateSignal(
    _ report: Outcome, _ path: String, _ terminal: Terminal
  ) -> Int32 {
    guard let signal = StopSignal.noted, StopSignal.isRunCompleting, report.hasChangedFiles,
      report.exitStatus != ExitStatus(signal)
    else { return 0 }
    terminal.printError(Failure.lateLine("'\(path.printable)' was changed"))
    return signal.exitStatus
  }

  /// Runs the command on a store, unless a stop signal ended the run.
  ///
  /// A report that was interrupted may be incomplete, so it doesn't count.
  private func result(of path: String, in terminal: Terminal) -> Result<Outcome, Failure> {
    StopSignal.beginRun()
    if let stop = Failure.ofStopSignal(path: path) { return .failure(stop) }
    let display = outline.map { globals.display(of: [path], $0, in: terminal) }
    do throws(Failure) {
      let work = { () throws(Failure) -> Outcome in try report(path, display) }
      let outcome = if let display { try display.showing(work) } else { try work() }
      return Failure.ofStopSignal(path: path).map { .failure($0) } ?? .success(outcome)
    } catch {
      return .failure(Failure.ofStopSignal(path: path) ?? error)
    }
  }
}
