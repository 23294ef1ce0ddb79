package import Foundation
package import JSONText
package import OutboxFormat

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
  /// Status 409 counts as success: an earlier attempt has created the resource.
  ///
  /// - Parameters:
  ///   - body: The contents of the resource.
  ///   - key: The idempotency key.
  /// - Returns: The resource's ID on the server, or `nil` if the response has none.
  /// - Throws: An ``HTTPError``.
  package func create(_ body: JSONValue, key: UUID) async throws -> String? {
    let response = try await connection.send(
      HTTPClient.Request(.post, Self.path, body: body, idempotencyKey: key.uuidString),
      accepting: [409])
    return response.identifier
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
  var identifier: String? {
    guard let object = try? JSONNode(parsing: body).object else { return nil }
    let inner = (try? object.optional("data")?.object) ?? object
    return (try? inner.optional("id")?.string) ?? nil
  }
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
    return response
  }
}
