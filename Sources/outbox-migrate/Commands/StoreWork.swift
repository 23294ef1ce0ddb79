import JSONText
import Platform
import StoreMigration
import OutboxConversion
import StoreProof

/// Runs a command on each of its stores; a store that fails doesn't stop the others.
struct StoreWork<Outcome: Report> {
  let globals: GlobalOptions

  /// Runs the command on the store at a path.
  let report: (String) throws(Failure) -> Outcome

  init(
    _ globals: GlobalOptions, _ report: @escaping (String) throws(MigrationError) -> Outcome
  ) {
    self.init(globals, orFailing: Self.failing(report))
  }

  init(
    _ globals: GlobalOptions, orFailing report: @escaping (String) throws(Failure) -> Outcome
  ) {
    self.globals = globals
    self.report = report
  }

  private static func failing(
    _ report: @escaping (String) throws(MigrationError) -> Outcome
  ) -> (String) throws(Failure) -> Outcome {
    { path throws(Failure) in
      do throws(MigrationError) {
        return try report(path)
      } catch {
        throw Failure(error)
      }
    }
  }

  /// Runs the command on every store, and returns the highest exit status.
  ///
  /// If a report can't be printed, the remaining stores are still processed.
  func run(on paths: [String], in terminal: Terminal) throws(Failure) -> Int32 {
    var objects: [[JSONValue.Member]] = []
    var status: Int32 = 0
    var printing = DeferredPrinting()
    for (index, path) in paths.enumerated() {
      switch result(of: path) {
      case .success(let report):
        status = max(status, report.exitStatus.rawValue)
        printing.hasChangedFiles = printing.hasChangedFiles || report.hasChangedFiles
        objects.append(report.members)
        if !globals.json {
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
      let members = paths.count == 1 ? objects.first ?? [] : [stores]
      printing.attempt { () throws(SystemError) in try terminal.print(document: members) }
    }
    try printing.finish()
    return status
  }

  private func result(of path: String) -> Result<Outcome, Failure> {
    do {
      return .success(try report(path))
    } catch {
      return .failure(error)
    }
  }
}
