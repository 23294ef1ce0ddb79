package import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
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
  private let session: URLSession
  private let exchange: HTTPExchange
  private let timeout: TimeInterval

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - baseURL: The URL of the server, such as `https://example.org`; paths are appended to it.
  ///   - apiKey: The app's key, sent as `X-API-Key`.
  ///   - timeout: The maximum duration of a request in seconds, including its response.
  ///   - connections: The maximum number of simultaneous connections.
  /// - Throws: An ``HTTPError`` if the URL is invalid, uses HTTP for another machine, or contains
  ///   a part of ``commonPath``.
  package init(
    baseURL: String, apiKey: String? = nil, timeout: TimeInterval = 30, connections: Int = 3
  ) throws(HTTPError) {
    guard let url = URLComponents(string: baseURL), let host = url.host, !host.isEmpty,
      let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      url.query == nil, url.fragment == nil, url.user == nil, url.password == nil,
      (1...65_535).contains(url.port ?? 443)
    else { throw .badAddress(baseURL.contains { "@?#".contains($0) } ? nil : baseURL) }
    guard scheme == "https" || isLoopback(host) else { throw .insecure(host: host) }
    guard !Self.overlapsCommonPath(url.path) else { throw .doubledPath }
    base = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
    self.apiKey = apiKey
    self.timeout = timeout
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = timeout
    configuration.httpMaximumConnectionsPerHost = max(1, connections)
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCache = nil
    // Only Darwin reads this; Linux has the environment's proxies (`ProxySettings`).
    if isLoopback(host) { configuration.connectionProxyDictionary = [:] }
    exchange = HTTPExchange()
    session = URLSession(configuration: configuration, delegate: exchange, delegateQueue: nil)
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
    guard let url = URL(string: base + request.path) else { throw HTTPError.badAddress(nil) }
    var message = URLRequest(url: url, timeoutInterval: timeout)
    message.httpMethod = request.method.rawValue
    message.setValue("application/json", forHTTPHeaderField: "Accept")
    if let apiKey { message.setValue(apiKey, forHTTPHeaderField: "X-API-Key") }
    if let token { message.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    if let key = request.idempotencyKey {
      message.setValue(key, forHTTPHeaderField: "Idempotency-Key")
    }
    if let body = request.body {
      message.setValue("application/json", forHTTPHeaderField: "Content-Type")
      message.httpBody = Data(body.utf8)
    }
    return try await response(to: message)
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

  private func response(to message: URLRequest) async throws -> Response {
    do {
      let (response, body) = try await exchange.response(to: message, in: session)
      if let error = Self.refusal(response) { throw error }
      return Response(status: response.statusCode, body: body)
    } catch let error as URLError {
      if error.code == .cancelled || Task.isCancelled { throw CancellationError() }
      let unsent: Set<URLError.Code> = [
        .badURL, .unsupportedURL, .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed,
        .notConnectedToInternet,
        .secureConnectionFailed, .serverCertificateUntrusted,
      ]
      throw unsent.contains(error.code)
        ? HTTPError.unreachable(code: error.errorCode)
        : HTTPError.connectionLost(code: error.errorCode)
    }
  }

  /// Returns an error for a status that means that the server is busy.
  private static func refusal(_ response: HTTPURLResponse) -> HTTPError? {
    guard [429, 503].contains(response.statusCode) else { return nil }
    let header = response.value(forHTTPHeaderField: "Retry-After")
    return .status(response.statusCode, retryAfter: header.map { delay($0, after: Date()) })
  }

  /// Returns the delay of a `Retry-After` header in seconds, from 1 to 3,600; 5 if it is invalid.
  ///
  /// The header has a number of seconds or a date: <https://www.rfc-editor.org/rfc/rfc9110>,
  /// §10.2.3.
  static func delay(_ text: String, after now: Date) -> TimeInterval {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(secondsFromGMT: 0)
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    let seconds = TimeInterval(text) ?? format.date(from: text)?.timeIntervalSince(now) ?? 5
    return seconds.isNaN ? 5 : min(max(seconds, 1), 3_600)
  }
}

/// Returns whether a host is this machine.
func isLoopback(_ host: String) -> Bool {
  let name = host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
  let parts = name.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
  let isIPv4 = parts.count == 4 && parts.allSatisfy { $0 != nil } && parts.first == 127
  return name == "localhost" || name == "::1" || isIPv4
}
