import JSONText
import Platform
import StoreMigration
import Migrations
import RowRewriting

/// `apply` on many stores: each in a process of its own, so many at a time.
///
/// A store that fails, or whose process is killed, keeps no other from being migrated. Doing it again goes on where
/// it ended: what is migrated already has nothing to do, and what was interrupted is finished or forgotten.
struct ApplyFleet {
  let globals: GlobalOptions

  /// The paths of the stores, as they were typed.
  let stores: [String]

  /// How many are migrated at a time.
  let jobs: Int

  /// The options that every store's process gets.
  let options: [String]

  /// A Boolean value indicating whether each store's document is printed as a line when it is done.
  let printsLines: Bool

  /// Migrates the stores and returns the highest exit status.
  func run(in terminal: Terminal) throws -> Int32 {
    let program = try Program.path
    let stores = distinctStores()
    let commands = stores.map { store in
      [program, "apply", "--json"] + options + ["--", store]
    }
    var outcome = FleetOutcome(stores: stores, keepingDocuments: globals.json)
    var telling = Telling()
    try Program.runAll(commands, atOnce: jobs) { place, end in
      let result = StoreResult(stores[place], end)
      outcome.add(result, at: place)
      telling.isOfChange = telling.isOfChange || result.isOfChange
      telling.attempt { () throws(SystemError) in try tell(result, terminal) }
    }
    telling.attempt { () throws(SystemError) in try tell(outcome, terminal) }
    try telling.end()
    return outcome.exitStatus.rawValue
  }

  /// Tells of a store that is done, unless all are told of in one document.
  private func tell(_ result: StoreResult, _ terminal: Terminal) throws(SystemError) {
    if printsLines { return try terminal.output.print(result.line + "\n") }
    if globals.json { return }
    let sentence = result.sentence(Style(terminal, globals))
    if result.isDone {
      try terminal.print([sentence])
    } else {
      try terminal.error.print(sentence + "\n")
    }
  }

  /// Tells of all stores at the end.
  private func tell(_ outcome: FleetOutcome, _ terminal: Terminal) throws(SystemError) {
    if globals.json { return try terminal.print(document: outcome.members) }
    guard printsLines else { return try terminal.print(outcome.lines(Style(terminal, globals))) }
    let summary = JSONValue.object([.init("format_version", 1)] + outcome.summary)
    try terminal.output.print(summary.text() + "\n")
  }

  /// The stores, each once: two processes at one store would only keep each other out.
  private func distinctStores() -> [String] {
    var seen: Set<FileIdentity> = []
    return stores.filter { store in
      guard let status = try? FileStatus(of: store) else { return true }
      return seen.insert(status.identity).inserted
    }
  }
}
