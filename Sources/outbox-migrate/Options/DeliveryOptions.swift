import CommandLineKit
import JSONText

/// The options of a delivery, which `outbox-deliver` reads as JSON.
struct DeliveryOptions: Hashable, Sendable {
  static let baseURL = Option<String>(
    "--base-url", valueName: "url",
    help: "The server's URL: HTTPS, or any URL on this machine.")
  static let tokenFile = Option<String?>(
    "--token-file", valueName: "file", help: "The file with the access token.", completion: .file)
  static let atOnce = Option(
    "--at-once", valueName: "n", default: 3, in: 1...64,
    help: "The maximum number of parallel requests.")
  static let wait = Option<Duration>(
    "--wait", valueName: "time", default: .seconds(60),
    help: "How long to keep retrying.")
  static let timeout = Option<Duration>(
    "--timeout", valueName: "time", default: .seconds(30),
    help: "The maximum duration of each request, until the last byte of its response.")

  let baseURL: String
  let tokenFile: String?
  let atOnce: Int
  let wait: Duration
  let timeout: Duration

  /// Reads the options of a command.
  ///
  /// - Parameters:
  ///   - input: The command line.
  ///   - isSingle: Whether to send one request once, without the options for several.
  init(_ input: borrowing Input, isSingle: Bool = false) {
    (baseURL, tokenFile) = (input[Self.baseURL], input[Self.tokenFile])
    timeout = input[Self.timeout]
    atOnce = isSingle ? 1 : input[Self.atOnce]
    wait = isSingle ? .zero : input[Self.wait]
  }

  /// Returns the job for `outbox-deliver` on a store, as members of its JSON argument.
  func members(_ path: String, ofUser userID: String? = nil) -> [JSONValue.Member] {
    [
      .init("store", .string(path)), .init("base_url", .string(baseURL)),
      .init("at_once", JSONValue(atOnce)), .init("patience", .double(wait.inSeconds)),
      .init("timeout", .double(timeout.inSeconds)),
    ] + (tokenFile.map { [.init("token_file", .string($0))] } ?? [])
      + (userID.map { [.init("user_id", .string($0))] } ?? [])
  }
}
