package import Foundation
package import JSONText
package import OutboxCore

/// A kind of resource on the server.
package protocol BackendService: Sendable {
  /// The type of the events about the resource.
  static var eventType: OutboxEventType { get }

  /// The path for creating resources; a resource's own path ends with its ID.
  static var path: String { get }

  /// The connection to the server.
  var connection: BackendConnection { get }

  init(_ connection: BackendConnection)
}

extension BackendService {
  /// Creates a resource on the server.
  ///
  /// Status 409 counts as success even without an ID: an earlier attempt has created the resource.
  ///
  /// - Parameters:
  ///   - body: The contents of the resource.
  ///   - key: The idempotency key.
  /// - Returns: The resource's ID on the server, or `nil` if a response of status 409 has none.
  /// - Throws: An ``HTTPError``.
  package func create(_ body: JSONValue, key: UUID) async throws -> String? {
    let response = try await connection.send(
      HTTPClient.Request(.post, Self.path, body: body, idempotencyKey: key.uuidString),
      accepting: [409])
    guard let id = response.identifier else {
      if response.status == 409 { return nil }
      throw HTTPError.noID
    }
    return id
  }

  /// Updates a resource on the server.
  package func update(_ id: String, _ body: JSONValue, key: UUID) async throws {
    _ = try await connection.send(
      HTTPClient.Request(.put, Self.path(of: id), body: body, idempotencyKey: key.uuidString))
  }

  /// Deletes a resource on the server; a missing resource counts as success.
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

extension HTTPClient.Response {
  /// The ID in the response body, either in the object itself or under `data`.
  ///
  /// The ID is a text or an integer; an empty text isn't an ID.
  fileprivate var identifier: String? {
    guard let object = try? JSONNode(parsing: body).object else { return nil }
    let inner = (try? object.optional("data")?.object) ?? object
    guard let id = inner.optional("id") else { return nil }
    let text = (try? id.string) ?? (try? id.integer).map { String($0) }
    return text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether the body is JSON or empty, as the server's bodies are.
  fileprivate var isFromServer: Bool { body.isEmpty || (try? JSONNode(parsing: body)) != nil }
}

/// Sends requests with an access token, and renews the token when needed.
package struct BackendConnection: Sendable {
  private let client: HTTPClient
  private let tokens: TokenKeeper?

  /// Creates a connection; without `tokens`, requests have no token.
  package init(_ client: HTTPClient, tokens: TokenKeeper?) {
    self.client = client
    self.tokens = tokens
  }

  /// Sends a request and returns the response.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - statuses: Statuses that count as success, in addition to 200 to 299.
  /// - Returns: The response.
  /// - Throws: An ``HTTPError`` for other statuses, or `CancellationError`.
  func send(
    _ request: HTTPClient.Request, accepting statuses: Set<Int> = []
  ) async throws -> HTTPClient.Response {
    let token = await tokens?.current()
    var response = try await client.send(request, token: token)
    if response.status == 401 {
      guard let token, let other = await tokens?.other(than: token) else {
        throw HTTPError.unauthorized
      }
      response = try await client.send(request, token: other)
      if response.status == 401 { throw HTTPError.unauthorized }
    }
    guard (200..<300).contains(response.status) || statuses.contains(response.status) else {
      throw HTTPError.status(response.status, retryAfter: nil)
    }
    // A login page answers every request with status 200, and a wrong path answers a DELETE
    // with 404.
    guard response.isFromServer else { throw HTTPError.notJSON }
    return response
  }
}
