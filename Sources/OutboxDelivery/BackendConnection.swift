import JSONText

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

extension HTTPClient.Response {
  /// Whether the body is JSON or empty, as the server's bodies are.
  fileprivate var isFromServer: Bool { body.isEmpty || (try? JSONNode(parsing: body)) != nil }
}
