import Foundation
package import JSONText
import OutboxCore
import Platform

/// A delivery of a store's outbox, as requested by the main program.
package struct DeliveryJob: Hashable, Sendable {
  let store: String
  let baseURL: String
  let tokenFile: String?
  let userID: String?
  let atOnce: Int
  let patience: TimeInterval
  let timeout: TimeInterval

  /// Whether to check only the address and the token.
  let checksOnly: Bool

  /// Whether the delivery ends with the program that requested it.
  package let endsWithParent: Bool

  /// Parses a job from JSON, strictly.
  package init(parsing text: String) throws(JSONError) {
    let object = try JSONNode(parsing: text).object(allowing: [
      "store", "base_url", "token_file", "user_id", "at_once", "patience", "timeout",
      "checks_only", "ends_with_parent",
    ])
    store = try object.required("store").string
    baseURL = try object.required("base_url").string
    tokenFile = try object.optional("token_file")?.string
    userID = try object.optional("user_id")?.string
    atOnce = Int(try object.required("at_once").integer)
    patience = try object.required("patience").double
    timeout = try object.required("timeout").double
    checksOnly = try object.optional("checks_only")?.bool ?? false
    endsWithParent = try object.optional("ends_with_parent")?.bool ?? false
  }
}

extension DeliveryJob {
  /// Delivers the outbox and returns a summary, or `nil` if the job only checks.
  ///
  /// - Throws: An `OutboxError`, ``HTTPError`` or ``TokenError``, before anything is sent.
  package func run() async throws -> DeliverySummary? {
    let token = try tokenFile.map { try AccessToken(file: $0) }
    let client = try HTTPClient(
      baseURL: baseURL, apiKey: token?.apiKey, timeout: timeout, connections: atOnce)
    if checksOnly { return nil }
    let tally = DeliveryTally()
    let tokens = token.map { keeper($0, client, tally) }
    let repository = try StoreOutboxRepository.open(store, isAlone: true)
    let processor = OutboxProcessorService(
      repository: repository,
      configuration: OutboxProcessorService.Configuration(
        batchSize: 500, maxConcurrentOperations: atOnce)
    ) { event, outcome in tally.record(event, outcome) }
    await processor.registerBackendHandlers(
      BackendConnection(client, tokens: tokens), repository)
    try await repository.renewAttempts(forUserID: userID)
    await processor.processAll(forUserID: userID, waiting: patience)
    if let error = await processor.queueError { tally.record("the queue can't be read: \(error)") }
    let statistics = try await repository.getStatistics(forUserID: userID)
    try await repository.checkpoint()
    return tally.summary(statistics)
  }

  /// Returns the exit status for an error that prevented the delivery (`sysexits.h`).
  ///
  /// 64 for an unsuitable address, 65 for a token file without a token, 74 for a file that can't be
  /// read, otherwise 1.
  package static func exitStatus(after error: any Error) -> Int32 {
    switch error {
    case let error as HTTPError: error.exitStatus
    case let error as TokenError: error.exitStatus
    default: 1
    }
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
        tally.record("the new token can't be saved: \(error)")
      }
      return new
    }
  }
}

extension HTTPError {
  /// The exit status if this error prevented the delivery.
  fileprivate var exitStatus: Int32 {
    switch self {
    case .insecure, .badAddress: 64
    case .unreachable, .connectionLost, .status, .unauthorized, .badResponse: 1
    }
  }
}

extension TokenError {
  /// The exit status if this error prevented the delivery.
  fileprivate var exitStatus: Int32 {
    switch self {
    case .unreadable: 65
    case .file: 74
    }
  }
}
