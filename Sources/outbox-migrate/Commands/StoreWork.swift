import JSONText
import StoreMigration

/// What a command does to each store that is named, going on where one fails.
struct StoreWork<Outcome: Report> {
  let globals: GlobalOptions

  /// Does it to the store at a path.
  let report: (String) throws(MigrationError) -> Outcome

  init(
    _ globals: GlobalOptions, _ report: @escaping (String) throws(MigrationError) -> Outcome
  ) {
    self.globals = globals
    self.report = report
  }

  /// Does it to every store and returns the highest exit status.
  func run(on paths: [String], in terminal: Terminal) -> Int32 {
    var objects: [[JSONValue.Member]] = []
    var status: Int32 = 0
    for (place, path) in paths.enumerated() {
      do throws(MigrationError) {
        let report = try report(path)
        status = max(status, report.exitStatus.rawValue)
        objects.append(report.members)
        if !globals.json {
          terminal.print((place > 0 ? [""] : []) + report.lines(Style(terminal, globals)))
        }
      } catch {
        let failure = Failure(error)
        status = max(status, failure.status.rawValue)
        objects.append([.init("store", .string(path)), .init("error", failure.json)])
        terminal.error.print(failure.line)
      }
    }
    if globals.json {
      let stores = JSONValue.Member("stores", .array(objects.map { .object($0) }))
      terminal.print(document: paths.count == 1 ? objects.first ?? [] : [stores])
    }
    return status
  }
}
