package import JSONText
import OutboxCore
import OutboxStore
import Platform

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A delivery of a store's outbox, as requested by the main program.
package struct DeliveryJob: Hashable, Sendable {
  let store: String

  /// The server's URL.
  package let baseURL: String
  let tokenFile: String?
  let userID: String?
  let atOnce: Int
  let patience: TimeInterval
  let timeout: TimeInterval

  /// Whether to check only the address and the token.
  let checksOnly: Bool

  /// Whether to try the server with an invented event instead of the outbox's.
  let isTest: Bool

  /// How to show progress on standard error, or `nil`.
  let progress: DeliveryProgress.Form?

  /// Whether the delivery ends with the program that requested it.
  package let endsWithParent: Bool

  /// Parses a job from JSON, strictly.
  package init(parsing text: String) throws(JSONError) {
    let object = try JSONNode(parsing: text).object(allowing: [
      "store", "base_url", "token_file", "user_id", "at_once", "patience", "timeout",
      "checks_only", "ends_with_parent", "progress", "test",
    ])
    store = try object.required("store").string
    baseURL = try object.required("base_url").string
    tokenFile = try object.optional("token_file")?.string
    userID = try object.optional("user_id")?.string
    atOnce = Int(try object.required("at_once").integer)
    patience = try object.required("patience").double
    timeout = try object.required("timeout").double
    checksOnly = try object.optional("checks_only")?.bool ?? false
    isTest = try object.optional("test")?.bool ?? false
    let form = try object.optional("progress")?.string
    progress = form.flatMap { DeliveryProgress.Form(rawValue: $0) }
    endsWithParent = try object.optional("ends_with_parent")?.bool ?? false
  }
}

extension DeliveryJob {
  /// Carries out the job, and returns its result in the format that the main program reads.
  ///
  /// - Throws: As ``run()``.
  package func result() async throws -> JSONValue {
    guard isTest, !checksOnly else { return try await run()?.json ?? [:] }
    let (client, token) = try client()
    let repository = try StoreOutboxRepository.open(store, isAlone: true)
    let tally = DeliveryTally(open: 0)
    let tokens = token.map { keeper($0, client, tally) }
    return await SyncTestRun(
      repository, HTTPBackend(BackendConnection(client, tokens: tokens)), tally
    ).steps(forUserID: userID)
  }

  private func client() throws -> (HTTPClient, AccessToken?) {
    let token = try tokenFile.map { try AccessToken(file: $0) }
    let client = try HTTPClient(
      baseURL: baseURL, apiKey: token?.apiKey, timeout: timeout, connections: atOnce)
    return (client, token)
  }

  /// Delivers the outbox and returns a summary, or `nil` if the job only checks.
  ///
  /// If the task is cancelled, requests in progress are cancelled, and their events go back into
  /// the queue.
  ///
  /// - Throws: An `OutboxError`, ``HTTPError`` or ``TokenError``, before anything is sent.
  package func run() async throws -> DeliverySummary? {
    let (client, token) = try client()
    if checksOnly { return nil }
    let repository = try StoreOutboxRepository.open(store, isAlone: true)
    let open = try await repository.getStatistics(forUserID: userID).openCount
    let tally = DeliveryTally(open: open)
    let tokens = token.map { keeper($0, client, tally) }
    let delivery = { @Sendable in
      try await deliver(repository, BackendConnection(client, tokens: tokens), tally)
    }
    guard let progress else { return try await delivery() }
    return try await DeliveryProgress(progress, of: store, tally).showing(delivery)
  }

  private func deliver(
    _ repository: StoreOutboxRepository, _ connection: BackendConnection, _ tally: DeliveryTally
  ) async throws -> DeliverySummary {
    let processor = OutboxProcessorService(
      repository: repository,
      configuration: OutboxProcessorService.Configuration(
        batchSize: 2_000, maxConcurrentOperations: atOnce),
      executor: QueueExecutor()
    ) { event, outcome in tally.record(event, outcome) }
    await processor.registerHandler(
      BackendEventHandler(HTTPBackend(connection), repository, tally))
    try await repository.renewAttempts(forUserID: userID)
    await processor.processAll(forUserID: userID, waiting: patience)
    if let error = await processor.queueError {
      tally.recordFileFailure("the queue can't be read: \(error.recordedText)")
    }
    for type in OutboxEventType.allCases where !(await processor.handles(type)) {
      tally.recordUnhandled(
        type, count: try await repository.pendingEventCount(ofType: type, forUserID: userID))
    }
    let statistics = try await repository.getStatistics(forUserID: userID)
    try await repository.checkpoint()
    return tally.summary(statistics, isStopped: Task.isCancelled)
  }

  /// Creates a token keeper that writes new tokens to the token file.
  private func keeper(
    _ token: AccessToken, _ client: HTTPClient, _ tally: DeliveryTally
  ) -> TokenKeeper {
    TokenKeeper(token) { [tokenFile] old in
      guard let new = await client.renewedToken(old, at: Date()) else { return nil }
      do throws(SystemError) {
        if let tokenFile {
          let file = try FileSystem.resolve(tokenFile)
          try FileSystem.replace(file, with: Array(new.text.utf8))
        }
      } catch {
        // Use the new token anyway; only the next delivery starts with the old one.
        tally.recordFileFailure("the new token can't be saved: \(error)")
      }
      return new
    }
  }
}
