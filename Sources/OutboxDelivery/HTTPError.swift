package import Foundation
import OutboxCore

/// A reason why the server didn't do what it was asked for.
///
/// None of the descriptions holds anything that was sent or answered: bodies are health data, and
/// headers hold tokens.
package enum HTTPError: Error, Hashable, Sendable {
  /// The address isn't one to send tokens to: not HTTPS, and not this machine.
  case insecure(host: String)

  /// The address can't be read.
  case badAddress

  /// No connection came about, so that the server has heard nothing.
  case unreachable(code: Int)

  /// The connection broke, or took too long: whether the server has heard is unknown.
  case connectionLost(code: Int)

  /// The server answered with a status that isn't a success.
  case status(Int, retryAfter: TimeInterval?)

  /// The server refuses the token, and a new one isn't to be had or is refused, too.
  case unauthorized

  /// The answer isn't HTTP, or longer than is read.
  case badAnswer
}

extension HTTPError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .insecure(let host):
      "'\(host)' is to be reached by HTTPS: tokens aren't sent in the clear to other machines"
    case .badAddress:
      "the address of the server isn't a URL with a host, or has no port that there can be"
    case .unreachable(let code): "the server can't be reached (URL error \(code))"
    case .connectionLost(let code): "the connection to the server broke (URL error \(code))"
    case .status(let code, _): "the server answered with status \(code)"
    case .unauthorized: "the server refuses the token"
    case .badAnswer: "the server's answer can't be read"
    }
  }
}

extension HTTPError: OutboxHandlingError {
  /// A Boolean value indicating whether the server would answer the same to the same request.
  package var isPermanent: Bool {
    switch self {
    case .status(let code, _):
      // 408, 425 and 429 ask for another attempt; <https://www.rfc-editor.org/rfc/rfc9110>, §15.5.
      (400..<500).contains(code) && ![401, 408, 425, 429].contains(code)
    case .insecure, .badAddress: true
    case .unreachable, .connectionLost, .unauthorized, .badAnswer: false
    }
  }

  /// The seconds for which there is no use in sending anything.
  package var retryAfter: TimeInterval? {
    switch self {
    case .status(429, let seconds): seconds ?? 5
    case .status(503, let seconds): seconds
    case .unreachable: 5
    case .unauthorized: 300
    case .status, .connectionLost, .insecure, .badAddress, .badAnswer: nil
    }
  }
}
