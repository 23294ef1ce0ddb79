import CommandLineKit
import InputFiles
import JSONText
import OutboxStore
import StoreMigration
import TerminalOutput

/// `outbox deliver`: sends what the app would send.
struct OutboxDeliverCommand: Command, Reporting {
  static let name = "deliver"
  static let abstract = "Send the events of a store's outbox to a server, and record the results."
  static let discussion = """
    Sends the requests that the app would send, with bodies from the store's entities, and saves \
    the ids that the server returns. Each request carries the event's id as its Idempotency-Key: \
    if a run is killed, the next one sends the event again with the same key. Failed requests are \
    retried after 1, 5, 30, 120 and 600 seconds, within the time of '--wait'. A snapshot is taken \
    first. Exits with 1 if events are left to send. SIGINT and SIGTERM end a run after the events \
    in progress are back in the queue.

      outbox-migrate outbox deliver default.store --base-url https://example.org --token-file token

    The token file contains a token alone, or JSON with 'access_token', 'refresh_token', \
    'expires_at' and 'api_key'. A refreshed token is written back to it.
    """

  static let dryRun = Flag(
    "--dry-run", help: "Report the requests, and send and write nothing.")
  static var parameters: [any Parameter] {
    [
      OutboxOptions.store, DeliveryOptions.baseURL, DeliveryOptions.tokenFile, OutboxOptions.user,
      DeliveryOptions.atOnce, DeliveryOptions.wait, DeliveryOptions.timeout, dryRun,
      GlobalOptions.progress,
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
    job = DeliveryOptions(input)
    user = input[OutboxOptions.user]?.text
    isDryRun = input[Self.dryRun]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let access = try OutboxAccess(globals)
    if isDryRun {
      return try StoreWork(
        globals, orFailing: { path throws(Failure) in try foresee(path, access) }
      )
      .run(on: [store], in: terminal)
    }
    return try StoreWork(
      globals, orFailing: { path throws(Failure) in try deliver(path, access, in: terminal) }
    )
    .run(on: [store], in: terminal)
  }

  private func foresee(_ path: String, _ access: OutboxAccess) throws(Failure) -> ForeseenDelivery {
    try DeliveryProgram().validate(job.members(path))
    return try access.read(path) { store, connection in
      let user = try user.map { try access.spelling(of: $0, in: store, connection) }
      return ForeseenDelivery(
        path: path, forecast: try DeliveryForecast(of: store, userID: user, connection))
    }
  }

  private func deliver(
    _ path: String, _ access: OutboxAccess, in terminal: Terminal
  ) throws(Failure) -> OutboxDelivered {
    let program = try DeliveryProgram()
    try program.validate(job.members(path))
    let spelled = try access.read(path) { store, connection in
      _ = try OutboxTable(store)
      return try user.map { try access.spelling(of: $0, in: store, connection) }
    }
    let snapshot: EditReport
    do {
      snapshot = try access.migrator.edit(path, as: "outbox deliver", keepingSnapshot: true) {
        _ in
      }.report
    } catch {
      throw Failure(outbox: error, path: path)
    }
    let (summary, signal) = try program.run(
      job.members(path, ofUser: spelled) + progress(in: terminal))
    return try OutboxDelivered(
      path: path, snapshot: snapshot.snapshot, notes: snapshot.notes, summary: summary,
      signal: signal)
  }

  /// The member of a job that says how to show progress.
  ///
  /// A terminal shows it, unless its output is to be plain or read by a program.
  private func progress(in terminal: Terminal) -> [JSONValue.Member] {
    if globals.progress { return [.init("progress", "lines")] }
    return globals.hasBar(terminal) ? [.init("progress", "bar")] : []
  }
}
