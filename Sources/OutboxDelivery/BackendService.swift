package import Foundation
package import JSONText
package import OutboxCore

/// One kind of thing that a server keeps: where it is made, changed and removed.
package protocol BackendService: Sendable {
  /// The type of the events that are about it.
  static var eventType: OutboxEventType { get }

  /// Where things of the kind are made; one of them is at its id below.
  static var path: String { get }

  /// How the server is asked.
  var connection: BackendConnection { get }

  init(_ connection: BackendConnection)
}

extension BackendService {
  /// Makes something, and returns the id by which the server knows it.
  ///
  /// - Parameters:
  ///   - body: What it is like.
  ///   - key: The name by which the server knows a repetition.
  /// - Returns: The id, or nil where the answer has none.
  /// - Throws: An ``HTTPError``. That it is there already is none: an earlier attempt made it.
  package func create(_ body: JSONValue, key: UUID) async throws -> String? {
    let answer = try await connection.send(
      HTTPClient.Request(.post, Self.path, body: body, idempotencyKey: key.uuidString),
      accepting: [409])
    return answer.identifier
  }

  /// Changes something.
  package func update(_ id: String, _ body: JSONValue, key: UUID) async throws {
    _ = try await connection.send(
      HTTPClient.Request(.put, Self.path(of: id), body: body, idempotencyKey: key.uuidString))
  }

  /// Removes something; that it is gone already is as good.
  package func delete(_ id: String, key: UUID) async throws {
    _ = try await connection.send(
      HTTPClient.Request(.delete, Self.path(of: id), idempotencyKey: key.uuidString),
      accepting: [404, 410])
  }

  private static func path(of id: String) -> String {
    let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_.~"))
      .intersection(CharacterSet(charactersIn: Unicode.Scalar(0)..."\u{7f}"))
    return path + "/" + (id.addingPercentEncoding(withAllowedCharacters: plain) ?? "")
  }
}

extension HTTPClient.Answer {
  /// The id in a body: of the object itself, or of the one under `data`.
  var identifier: String? {
    guard let object = try? JSONNode(parsing: body).object else { return nil }
    let inner = (try? object.optional("data")?.object) ?? object
    return (try? inner.optional("id")?.string) ?? nil
  }
}

/// Asks a server with a token that is renewed when it has to be.
package struct BackendConnection: Sendable {
  private let client: HTTPClient
  private let tokens: TokenKeeper?

  /// Makes a connection; without tokens, requests carry none.
  package init(_ client: HTTPClient, tokens: TokenKeeper?) {
    self.client = client
    self.tokens = tokens
  }

  /// Sends a request and returns its answer.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - statuses: The statuses that are as good as success.
  /// - Returns: The answer.
  /// - Throws: An ``HTTPError`` for any other status, or `CancellationError`.
  func send(
    _ request: HTTPClient.Request, accepting statuses: Set<Int> = []
  ) async throws -> HTTPClient.Answer {
    let token = await tokens?.current()
    var answer = try await client.send(request, token: token)
    if answer.status == 401 {
      guard let token, let other = await tokens?.other(than: token) else {
        throw HTTPError.unauthorized
      }
      answer = try await client.send(request, token: other)
      if answer.status == 401 { throw HTTPError.unauthorized }
    }
    guard (200..<300).contains(answer.status) || statuses.contains(answer.status) else {
      throw HTTPError.status(answer.status, retryAfter: nil)
    }
    return answer
  }
}
