import Foundation
import OutboxTesting
import TestSupport
import Testing

@testable import OutboxCore

/// What an event keeps of an error: a sentence, and never what the error carries.
@Suite struct RecordedTextTests {
  private static let marker = "M4rk3rOfASecret77"

  private struct Plain: Error {
    let token = RecordedTextTests.marker
  }

  private struct Printed: Error, CustomStringConvertible, CustomDebugStringConvertible {
    var description: String { RecordedTextTests.marker }
    var debugDescription: String { RecordedTextTests.marker }
  }

  private enum Carrying: Error {
    case silent
    case body(String, nested: any Error)
  }

  private struct Described: LocalizedError {
    let errorDescription: String?
    var failureReason: String? { RecordedTextTests.marker }
    var recoverySuggestion: String? { RecordedTextTests.marker }
  }

  private struct Handling: OutboxHandlingError {
    let header = "Bearer " + RecordedTextTests.marker
    let isPermanent = true
    let retryAfter: TimeInterval? = nil
  }

  private static var errors: [any Error] {
    let url = URL(string: "https://example.org/\(marker)")
    let context = DecodingError.Context(codingPath: [], debugDescription: marker)
    return [
      Plain(), Printed(), Carrying.silent, Carrying.body(marker, nested: Printed()), Handling(),
      Described(errorDescription: nil), NSError(domain: marker, code: 7),
      NSError(
        domain: "App", code: 401,
        userInfo: [NSLocalizedDescriptionKey: marker, NSLocalizedFailureReasonErrorKey: marker]),
      URLError(.timedOut, userInfo: url.map { [NSURLErrorFailingURLErrorKey: $0] } ?? [:]),
      DecodingError.dataCorrupted(context),
      EncodingError.invalidValue(marker, .init(codingPath: [], debugDescription: marker)),
      CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "/home/\(marker)"]),
    ]
  }

  /// Descriptions that apps write, each with a secret.
  private static let descriptions = [
    "Request failed: Authorization: Bearer \(marker)", "Bearer \(marker)",
    "401 for token \(marker)", "the token=\(marker) has expired", "access_token: \(marker)",
    "X-API-Key: \(marker), status 403", "Authorization: Basic \(marker)",
    "GET https://example.org/api?user=\(marker) failed", "can't reach \(marker).example.org",
    "no answer from \(marker).example.org:8443.", "mail to \(marker)@example.org bounced",
    "(https://\(marker):pw@example.org)", "can't open '/home/\(marker)/default.store'",
    "HTTP 422: {\"note\":\"\(marker)\"}", "HTTP 422: [{\"note\": \"\(marker)\"}]",
    "bad answer <html><body>\(marker)</body></html>", "rejected \"note\": \"\(marker)\"",
    "HTTP 500\n\(marker)", "HTTP 500\r\n\r\n\(marker)", "body note=\(marker)&mood=3 refused",
    "password: \(marker)", "session=\(marker)", "Cookie: \(marker)", "opaque \(marker)x9x9x9",
    "key '\(marker)' is unknown", "localhost:8080/\(marker) refused the connection",
  ]

  /// Sends one event whose handler throws an error, and returns what is kept of it anywhere.
  private func traces(of error: any Error) async -> (message: String?, rest: String) {
    struct Thrower: OutboxProcessorService.OutboxEventHandler {
      let error: any Error
      func canHandle(eventType: OutboxEventType) -> Bool { true }
      func handle(event: OutboxEvent) async throws { throw error }
    }
    let list = ListRepository([OutboxEvent(eventType: .goal, entityID: UUID(), userID: "U")])
    let (traces, continuation) = AsyncStream.makeStream(of: String.self)
    struct Logger: OutboxLogger {
      let continuation: AsyncStream<String>.Continuation
      func log(level: OutboxLogLevel, message: String, metadata: [String: String]) {
        continuation.yield("\(message) \(metadata)")
      }
    }
    let processor = OutboxProcessorService(
      repository: list, logger: Logger(continuation: continuation)
    ) { continuation.yield("\($1)") }
    await processor.registerHandler(Thrower(error: error))
    await processor.processAll(waiting: 0)
    continuation.finish()
    return (await list.events[0].errorMessage, await traces.reduce("") { $0 + $1 })
  }

  @Test func `an error without a description is its type and code`() async {
    for error in Self.errors {
      let (message, rest) = await traces(of: error)
      let expected = (error as? any LocalizedError)?.errorDescription == nil
      if expected { #expect(message == "\(type(of: error)) (code \(error._code))") }
      #expect(message?.isEmpty == false && !rest.isEmpty)
      #expect(!(message ?? "").contains(Self.marker) && !rest.contains(Self.marker), "\(error)")
    }
    #expect(await traces(of: Plain()).message == "Plain (code 1)")
    #expect(await traces(of: Carrying.silent).message == "Carrying (code 1)")
  }

  @Test(arguments: descriptions)
  func `a description loses its secret, and keeps the rest`(text: String) async {
    let (message, rest) = await traces(of: Described(errorDescription: text))
    #expect(message?.contains("[removed]") == true, "\(text)")
    #expect(!(message ?? "").contains(Self.marker) && !rest.contains(Self.marker))
    #expect(message?.contains("example.org") == false)
  }

  @Test(arguments: [
    "Authentication required", "Invalid event payload", "HTTP 500: Internal Server Error",
    "Entity not found: 5E2F9A0B-33D1-4C7E-8E11-0242AC120002", "the token has expired",
    "the server rejects the token", "there is no handler for events of type 'chatMessage'",
    "Network error (retry 1/5)", "an answer of text/html, not JSON", "basic facts are missing",
    "expected 3 < 5", "OutboxError.noSuchEvent", "sent on 2025-01-31T08:00:00Z",
  ])
  func `an ordinary sentence stays`(text: String) {
    #expect(Described(errorDescription: text).recordedText == text)
  }

  @Test func `a text is at most 500 characters long`() {
    let long = Described(errorDescription: String(repeating: "long ", count: 200))
    #expect(long.recordedText.count == 500)
    #expect(Described(errorDescription: "").recordedText == "[removed]")
  }
}
