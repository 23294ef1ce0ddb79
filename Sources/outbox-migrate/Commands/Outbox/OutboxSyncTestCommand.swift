import CommandLineKit
import InputFiles
import JSONText
import OutboxStore
import StoreMigration
import TerminalOutput

/// `outbox sync-test`: tries a server with one invented event.
struct OutboxSyncTestCommand: Command, Reporting {
  static let name = "sync-test"
  static let abstract = "Try a server with one invented event, and remove it everywhere."
  static let discussion = """
    Adds a marked entity to the store, a progress entry in FitIQ or a goal in Lume, with an event; \
    sends the event once; checks that the event is completed and that the entity has the server's \
    id; deletes the entity on the server; and removes both from the store. Other events aren't \
    sent. A snapshot is taken first. Exits with 1 if a step fails, and names the entity if the \
    server still has it. If the response contains no id, the test can't delete the entity, and says \
    that the server may have kept it. If the test is killed, the next one removes what it left in the store.

      outbox-migrate outbox sync-test default.store --base-url https://test.example.org
    """

  static let dryRun = Flag(
    "--dry-run", help: "Check the address and the token, and send and write nothing.")
  static var parameters: [any Parameter] {
    [
      OutboxOptions.store, DeliveryOptions.baseURL, DeliveryOptions.tokenFile, OutboxOptions.user,
      DeliveryOptions.timeout, dryRun, GlobalOptions.progress,
    ]
  }

  let globals: GlobalOptions
  let store: String
  let job: DeliveryOptions
  let user: String?
  let isDryRun: Bool

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingLong: true)
    store = input[OutboxOptions.store].path
    job = DeliveryOptions(input, isSingle: true)
    user = input[OutboxOptions.user]?.text
    isDryRun = input[Self.dryRun]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let access = try OutboxAccess(globals)
    return try StoreWork(
      globals, .edit,
      orFailing: { path throws(Failure) in try test(path, access) }
    )
    .run(on: [store], in: terminal)
  }

  private func test(_ path: String, _ access: OutboxAccess) throws(Failure) -> SyncTested {
    let program = try DeliveryProgram()
    try program.validate(job.members(path))
    let spelled = try access.read(path) { store, connection in
      _ = try OutboxTable(store)
      return try user.map { try access.spelling(of: $0, in: store, connection) }
    }
    if isDryRun { return try SyncTested(path: path, snapshot: nil, notes: [], result: nil) }
    let snapshot: EditReport
    do {
      snapshot = try access.migrator.edit(path, as: "outbox sync-test", keepingSnapshot: true) {
        _ in
      }.report
    } catch {
      throw Failure(outbox: error, path: path)
    }
    let (result, signal) = try program.run(
      job.members(path, ofUser: spelled) + [.init("test", true)])
    return try SyncTested(
      path: path, snapshot: snapshot.snapshot, notes: snapshot.notes, result: result,
      signal: signal)
  }
}
