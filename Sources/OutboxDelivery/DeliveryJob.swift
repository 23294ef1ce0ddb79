import Foundation
package import JSONText
import OutboxCore
import Platform

/// One delivery of a store's outbox, as the main program asks for it.
package struct DeliveryJob: Hashable, Sendable {
  let store: String
  let baseURL: String
  let tokenFile: String?
  let userID: String?
  let atOnce: Int
  let patience: TimeInterval
  let timeout: TimeInterval

  /// A Boolean value indicating whether only the address and the token are looked at.
  let checksOnly: Bool

  /// A Boolean value indicating whether a delivery ends with the program that asked for it.
  package let endsWithParent: Bool

  /// Reads a job from JSON, strictly.
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
  /// Delivers, and returns what came of it.
  ///
  /// - Returns: The summary; nil where the job was to be looked at only.
  /// - Throws: An `OutboxError`, ``HTTPError``, ``TokenError`` or `SystemError`, before anything is
  ///   sent.
  package func run() async throws -> DeliverySummary? {
    let token = try tokenFile.map { path in
      try Token(text: String(decoding: try FileSystem.read(path, limit: 1 << 16), as: UTF8.self))
    }
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
    ) { event, outcome in tally.note(event, outcome) }
    await processor.registerBackendHandlers(
      BackendConnection(client, tokens: tokens), repository)
    try await repository.renewAttempts(forUserID: userID)
    await processor.processAll(forUserID: userID, waiting: patience)
    if let error = await processor.queueError { tally.note("the queue can't be read: \(error)") }
    let statistics = try await repository.getStatistics(forUserID: userID)
    try await repository.checkpoint()
    return tally.summary(statistics)
  }

  /// The program's exit status after an error that kept a delivery from beginning (`sysexits.h`).
  ///
  /// 64 for an address that nothing is sent to, 65 for a token file without a token, 74 for a file
  /// that can't be read, otherwise 1.
  package static func exitStatus(after error: any Error) -> Int32 {
    switch error {
    case HTTPError.insecure, HTTPError.badAddress: 64
    case is TokenError: 65
    case is SystemError: 74
    default: 1
    }
  }

  /// Keeps the token, and writes a new one into the file where the old one was.
  private func keeper(
    _ token: Token, _ client: HTTPClient, _ tally: DeliveryTally
  ) -> TokenKeeper {
    TokenKeeper(token) { [tokenFile] old in
      guard let new = await client.renewedToken(old, at: Date()) else { return nil }
      do throws(SystemError) {
        if let tokenFile {
          let file = try FileSystem.resolve(tokenFile)
          try FileSystem.replace(file, with: Array(new.text.utf8))
        }
      } catch {
        // It is used even so; the next delivery has the old one.
        tally.note("the server's new token can't be kept: \(error)")
      }
      return new
    }
  }
}
