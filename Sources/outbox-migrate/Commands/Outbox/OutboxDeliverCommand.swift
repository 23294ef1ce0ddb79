import CommandLineKit
import JSONText
import OutboxCore
import Platform
import StoreMigration

/// `outbox deliver`: what the app would send, sent.
struct OutboxDeliverCommand: Command, Reporting {
  static let name = "deliver"
  static let abstract = "Send the events of a store's outbox to a server, and mark them."
  static let discussion = """
    Asks the server for what the app would ask for, with bodies from the store's entities, and \
    writes the ids that it answers with. Every event goes with its id as Idempotency-Key: one \
    that a killed run has sent already goes out again under the same. What fails is tried again \
    after 1, 5, 30, 120 and 600 seconds, as long as '--wait' says. A snapshot is taken first. \
    Exits with 1 if something is left to be sent.

      outbox-migrate outbox deliver default.store --base-url https://example.org --token-file token

    The token file holds a token alone, or JSON with 'access_token', 'refresh_token', \
    'expires_at' and 'api_key'; a new token is written back to it.
    """

  static let baseURL = Option<String>(
    "--base-url", valueName: "url",
    help: "Where the server is: by HTTPS, or on this machine.")
  static let tokenFile = Option<String?>(
    "--token-file", valueName: "file", help: "The file with the token.", completion: .file)
  static let atOnce = Option(
    "--at-once", valueName: "n", default: 3, in: 1...64, help: "The most requests at once.")
  static let wait = Option<Duration>(
    "--wait", valueName: "time", default: .seconds(60),
    help: "How long to go on for the sake of retries.")
  static let timeout = Option<Duration>(
    "--timeout", valueName: "time", default: .seconds(30),
    help: "How long to wait for each answer.")
  static var parameters: [any Parameter] {
    [OutboxOptions.store, baseURL, tokenFile, OutboxOptions.user, atOnce, wait, timeout]
  }

  let globals: GlobalOptions
  let store: String
  let baseURL: String
  let tokenFile: String?
  let user: String?
  let atOnce: Int
  let wait: Duration
  let timeout: Duration

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input)
    store = input[OutboxOptions.store]
    baseURL = input[Self.baseURL]
    tokenFile = input[Self.tokenFile]
    user = input[OutboxOptions.user]?.text
    atOnce = input[Self.atOnce]
    wait = input[Self.wait]
    timeout = input[Self.timeout]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let access = try OutboxAccess(globals)
    return try StoreWork(
      globals,
      orFailing: { path throws(Failure) in
        let program = try DeliveryProgram()
        try program.check(job(path))
        _ = try access.look(at: path) { store, _ in try OutboxTable(store) }
        let snapshot: EditReport
        do {
          snapshot = try access.migrator.edit(path, as: "outbox deliver", keepingSnapshot: true) {
            _ in
          }.report
        } catch {
          throw Failure(outbox: error, path: path)
        }
        return try OutboxDelivered(
          path: path, snapshot: snapshot.snapshot, notes: snapshot.notes,
          summary: program.run(job(path)))
      }
    )
    .run(on: [store], in: terminal)
  }

  /// What the program is asked for that speaks HTTP.
  private func job(_ path: String) -> [JSONValue.Member] {
    [
      .init("store", .string(path)), .init("base_url", .string(baseURL)),
      .init("at_once", JSONValue(atOnce)), .init("patience", .double(wait.inSeconds)),
      .init("timeout", .double(timeout.inSeconds)),
    ] + (tokenFile.map { [.init("token_file", .string($0))] } ?? [])
      + (user.map { [.init("user_id", .string($0))] } ?? [])
  }
}

extension Duration {
  fileprivate var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
