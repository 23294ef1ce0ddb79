import OutboxStore
import Transfers

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Sends requests to a server, with the headers of the apps.
///
/// Uses HTTPS only, except for this machine. Doesn't follow redirects, because they could send the
/// token to another server.
package struct HTTPClient: Sendable {
  /// An HTTP method.
  package enum Method: String, Hashable, Sendable {
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
  }

  /// A request.
  package struct Request: Hashable, Sendable {
    /// The method.
    package let method: Method

    /// The path, percent-encoded and starting with a slash.
    package let path: String

    /// The body, JSON; `nil` for a deletion.
    package let body: String?

    /// The idempotency key, by which the server recognizes repetitions.
    package let idempotencyKey: String?

    package init(
      _ method: Method, _ path: String, body: String? = nil, idempotencyKey: String? = nil
    ) {
      self.method = method
      self.path = path
      self.body = body
      self.idempotencyKey = idempotencyKey
    }
  }

  /// A response.
  package struct Response: Hashable, Sendable {
    package let status: Int
    package let body: [UInt8]
  }

  /// The beginning of each request's path.
  static let commonPath = "/api/v1"

  private let base: String
  private let apiKey: String?
  private let transfers: TransferSet
  private let timeout: Duration

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - baseURL: The URL of the server, such as `https://example.org`; paths are appended to it.
  ///   - apiKey: The app's key, sent as `X-API-Key`.
  ///   - timeout: The maximum duration of a request in seconds, including its response.
  ///   - connections: The maximum number of simultaneous connections.
  ///   - authorities: The path of a file of certificate authorities; `nil` for the system's.
  /// - Throws: An ``HTTPError`` if the URL is invalid, uses HTTP for another machine, or contains
  ///   a part of ``commonPath``.
  package init(
    baseURL: String, apiKey: String? = nil, timeout: TimeInterval = 30, connections: Int = 3,
    authorities: String? = nil
  ) throws(HTTPError) {
    // Of other characters, Foundation and libcurl might make different hosts.
    guard !baseURL.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f || $0 == UInt8(ascii: "\\") }),
      let url = URLComponents(string: baseURL), let host = url.host, !host.isEmpty,
      let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      url.query == nil, url.fragment == nil, url.user == nil, url.password == nil,
      (1...65_535).contains(url.port ?? 443)
    else { throw .badAddress(baseURL.contains { "@?#".contains($0) } ? nil : baseURL) }
    guard scheme == "https" || isLoopback(host) else { throw .insecure(host: host) }
    guard !Self.overlapsCommonPath(url.path) else { throw .doubledPath }
    base = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
    self.apiKey = apiKey
    self.timeout = .seconds(timeout)
    var settings = TransferSet.Settings()
    settings.connectionCount = connections
    settings.isEncrypted = scheme == "https"
    // A proxy for HTTPS passes encrypted bytes on (`CONNECT`). One for HTTP would read tokens.
    settings.usesProxies = !isLoopback(host)
    settings.authorities = authorities
    do throws(TransferError) {
      transfers = try TransferSet(settings)
    } catch {
      throw HTTPError(error)
    }
  }

  /// Sends a request and returns the response, regardless of its status.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - token: The access token, sent as `Authorization: Bearer`.
  /// - Returns: The response.
  /// - Throws: An ``HTTPError`` if there is no response or the server is busy, or
  ///   `CancellationError`.
  package func send(_ request: Request, token: String? = nil) async throws -> Response {
    // An empty value leaves out a header that libcurl adds: it would wait before it sends a long body.
    var headers = ["Accept": "application/json", "Expect": ""]
    headers["X-API-Key"] = apiKey
    headers["Authorization"] = token.map { "Bearer \($0)" }
    headers["Idempotency-Key"] = request.idempotencyKey
    if request.method != .delete {
      headers["Content-Type"] = request.body == nil ? "" : "application/json"
    }
    let message = TransferRequest(
      method: request.method.rawValue, url: base + request.path, headers: headers,
      body: request.body ?? (request.method == .delete ? nil : ""), timeout: timeout)
    do {
      let response = try await transfers.response(to: message)
      if let error = Self.refusal(response) { throw error }
      return Response(status: response.status, body: response.body)
    } catch let error as TransferError {
      throw Task.isCancelled ? CancellationError() : HTTPError(error)
    }
  }

  /// Returns whether a URL's path contains ``commonPath``, or ends with its first component.
  private static func overlapsCommonPath(_ path: String) -> Bool {
    let (words, common) = (components(path), components(commonPath))
    return words.last == common.first
      || zip(words, words.dropFirst()).contains { [$0, $1] == common }
  }

  private static func components(_ path: String) -> [String] {
    path.lowercased().split(separator: "/").map { String($0) }
  }

  /// Returns an error for a status that means that the server is busy.
  private static func refusal(_ response: TransferResponse) -> HTTPError? {
    guard [429, 503].contains(response.status) else { return nil }
    return .status(
      response.status, retryAfter: response.retryAfter.map { delay($0, after: Date()) })
  }

  /// Returns the delay of a `Retry-After` header in seconds, from 1 to 3,600; 5 if it is invalid.
  ///
  /// The header has a number of seconds or a date: <https://www.rfc-editor.org/rfc/rfc9110>,
  /// §10.2.3.
  static func delay(_ text: String, after now: Date) -> TimeInterval {
    let seconds = TimeInterval(text) ?? Date(headerText: text)?.timeIntervalSince(now) ?? 5
    return seconds.isNaN ? 5 : min(max(seconds, 1), 3_600)
  }
}

extension HTTPError {
  /// The errors that mean that the server hasn't received the request.
  ///
  /// No name was found for the proxy (5) or the server (6), no connection was made (7), or
  /// encryption failed (35), for example because the certificate isn't valid (60).
  private static let unsent: Set = [3, 5, 6, 7, 35, 60]

  /// The response isn't HTTP, or an old form of it, which libcurl refuses like an unknown protocol.
  private static let unreadable: Set = [1, 8]

  fileprivate init(_ error: TransferError) {
    switch error {
    case .tooLarge: self = .tooLarge
    case .noMemory: self = .unreachable(code: Self.noMemory)
    case .failed(let code):
      self =
        Self.unsent.contains(code)
        ? .unreachable(code: code)
        : Self.unreadable.contains(code) ? .badResponse : .connectionLost(code: code)
    }
  }
}

extension Date {
  /// Reads a date in the form of HTTP's headers: `Sun, 06 Nov 1994 08:49:37 GMT`.
  fileprivate init?(headerText text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    guard words.count == 6, words[5] == "GMT",
      let month = months.firstIndex(of: String(words[2]))
    else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    self.init(internetText: "\(words[3])-\(number)-\(words[1])T\(words[4])Z")
  }
}

/// Returns whether a host is this machine.
func isLoopback(_ host: String) -> Bool {
  let name = host.lowercased().filter { !"[]".contains($0) }
  let parts = name.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
  let isIPv4 = parts.count == 4 && parts.allSatisfy { $0 != nil } && parts.first == 127
  return name == "localhost" || name == "::1" || isIPv4
}
