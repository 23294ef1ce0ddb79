import JSONText

/// The options of a delivery, which `outbox-deliver` reads as JSON.
struct DeliveryOptions: Hashable, Sendable {
  let baseURL: String
  let tokenFile: String?
  let atOnce: Int
  let wait: Duration
  let timeout: Duration

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
