import OutboxCore

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// An error of a request.
///
/// Descriptions contain nothing that was sent or received, because bodies are health data and
/// headers contain tokens.
package enum HTTPError: Error, Hashable, Sendable {
  /// The address uses HTTP and isn't this machine, so no token may be sent to it.
  case insecure(host: String)

  /// The address isn't valid; its text is left out if it may contain a secret.
  case badAddress(String?)

  /// The address contains a part of the path that each request's path begins with.
  case doubledPath

  /// No connection was established, so the server hasn't received the request; libcurl's code.
  case unreachable(code: Int)

  /// The connection broke or timed out; the server may have received the request; libcurl's code.
  case connectionLost(code: Int)

  /// The status isn't a success.
  case status(Int, retryAfter: TimeInterval?)

  /// The server rejects the token, and a new token isn't available or is rejected, too.
  case unauthorized

  /// The response isn't HTTP.
  case badResponse

  /// The response's body is larger than 1 MiB.
  case tooLarge

  /// The response isn't JSON, so it isn't from the apps' server.
  case notJSON

  /// The response to the creation of a resource has no ID.
  case noID
}

extension HTTPError: CustomStringConvertible, LocalizedError {
  package var errorDescription: String? { description }

  /// libcurl's codes for a request whose time is over, and for too little memory.
  private static let timedOut = 28
  static let noMemory = 27

  package var description: String {
    switch self {
    case .insecure(let host):
      "'\(host)' requires HTTPS: tokens aren't sent to other machines without encryption"
    case .badAddress(let text):
      (text.map { "'\($0)'" } ?? "the server's address")
        + " isn't a URL with a host and a valid port; give one such as 'https://example.org'"
    case .doubledPath:
      "each request's path already begins with '\(HTTPClient.commonPath)'; leave it out of "
        + "'--base-url'"
    case .connectionLost(code: Self.timedOut): "the request took longer than '--timeout' allows"
    case .unreachable(let code): "the server can't be reached (curl error \(code))"
    case .connectionLost(let code): "the connection to the server broke (curl error \(code))"
    case .status(let code, _): "the server responded with status \(code)"
    case .unauthorized: "the server rejects the token"
    case .badResponse: "the server's response can't be read"
    case .tooLarge: "the server's response is larger than 1 MiB"
    case .notJSON: "the server's response isn't JSON; check '--base-url'"
    case .noID: "the server's response to a new entity contains no id"
    }
  }
}

extension HTTPError: OutboxHandlingError {
  /// Whether repeating the request would give the same result.
  package var isPermanent: Bool {
    switch self {
    case .status(let code, _):
      // 408, 425 and 429 invite another attempt: <https://www.rfc-editor.org/rfc/rfc9110>, §15.5.
      (400..<500).contains(code) && ![401, 408, 425, 429].contains(code)
    case .insecure, .badAddress, .doubledPath: true
    case .unreachable, .connectionLost, .unauthorized, .badResponse, .tooLarge, .notJSON, .noID:
      false
    }
  }

  /// Whether the server may have carried out the request.
  package var mayBeDone: Bool {
    switch self {
    case .connectionLost, .badResponse, .tooLarge, .notJSON, .noID: true
    case .status(let code, _): code >= 500
    case .insecure, .badAddress, .doubledPath, .unreachable, .unauthorized: false
    }
  }

  /// The seconds to wait before sending any other request, or `nil`.
  package var retryAfter: TimeInterval? {
    switch self {
    case .status(429, let seconds): seconds ?? 5
    case .status(503, let seconds): seconds
    case .unreachable: 5
    case .unauthorized: 300
    case .status, .connectionLost, .insecure, .badAddress, .doubledPath, .badResponse, .tooLarge,
      .notJSON, .noID:
      nil
    }
  }
}
