/// An HTTP request.
package struct TransferRequest: Hashable, Sendable {
  /// The method, such as `POST`.
  package let method: String

  /// The URL, percent-encoded.
  package let url: String

  /// The headers' names, each with its value; an empty value leaves out a header that libcurl adds.
  package let headers: [String: String]

  /// The body; `nil` for a request without one.
  package let body: String?

  /// The maximum time until the last byte of the response.
  package let timeout: Duration

  package init(
    method: String, url: String, headers: [String: String], body: String?, timeout: Duration
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
  }
}

extension TransferRequest {
  /// The headers as lines; `nil` if a control character would begin another header.
  var headerText: String? {
    var lines: [String] = []
    for (name, value) in headers {
      guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return nil }
      lines.append(value.isEmpty ? "\(name):" : "\(name): \(value)")
    }
    return lines.joined(separator: "\n")
  }

  /// The time in libcurl's unit; 0 would mean no limit.
  var milliseconds: Int {
    let milliseconds = timeout / .milliseconds(1)
    return milliseconds > 1 ? Int(exactly: min(milliseconds, 2_147_483_647).rounded()) ?? 1 : 1
  }
}

/// A response, whatever its status.
package struct TransferResponse: Hashable, Sendable {
  /// The status.
  package let status: Int

  /// The body, without its compression.
  package let body: [UInt8]

  /// The value of the header `Retry-After`.
  package let retryAfter: String?
}

/// A reason why there is no response.
package enum TransferError: Error, Hashable, Sendable {
  /// libcurl's code: <https://curl.se/libcurl/c/libcurl-errors.html>.
  case failed(code: Int)

  /// The response's body is larger than the limit.
  case tooLarge

  /// The system has no memory or no thread left, or a header isn't valid.
  case noMemory
}
