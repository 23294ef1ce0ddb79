package import Foundation
import JSONText
import OutboxCore

/// What a server is shown, and what a new one is had for.
package struct Token: Hashable, Sendable {
  /// The token itself.
  package let access: String

  /// What a new token is asked for with; nil where that can't be done.
  package let refresh: String?

  /// When the token expires; nil where nobody knows.
  package let expiry: Date?

  /// The key of the app; nil where it has none.
  package let apiKey: String?

  package init(
    access: String, refresh: String? = nil, expiry: Date? = nil, apiKey: String? = nil
  ) {
    self.access = access
    self.refresh = refresh
    self.expiry = expiry
    self.apiKey = apiKey
  }
}

/// A reason why a token can't be had; none of the descriptions holds any of it.
package enum TokenError: Error, Hashable, Sendable {
  /// The text is neither a token alone nor JSON with one.
  case unreadable
}

extension TokenError: CustomStringConvertible {
  package var description: String {
    "the token file holds neither a token alone nor JSON with 'access_token'"
  }
}

extension Token {
  /// Reads the text of a token file.
  ///
  /// A token alone, or JSON with `access_token` and perhaps `refresh_token`, `expires_at` (ISO
  /// 8601, or seconds since 1970) and `api_key`.
  package init(text: String) throws(TokenError) {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard trimmed.hasPrefix("{") else {
      guard trimmed.isHeaderWord else { throw .unreadable }
      self.init(access: trimmed)
      return
    }
    guard let object = try? JSONNode(parsing: trimmed).object,
      let token = Token(object, at: nil, apiKey: (try? object.optional("api_key")?.string) ?? nil)
    else { throw .unreadable }
    self = token
  }

  /// Reads a token from what a server answers: the object itself, or the one under `data`.
  init?(answer: [UInt8], at now: Date, instead old: Token) {
    guard let object = try? JSONNode(parsing: answer).object else { return nil }
    let inner = (try? object.optional("data")?.object) ?? object
    guard let token = Token(inner, at: now, apiKey: old.apiKey) else { return nil }
    // A server that sends no new refresh token goes on taking the old one.
    self.init(
      access: token.access, refresh: token.refresh ?? old.refresh, expiry: token.expiry,
      apiKey: old.apiKey)
  }

  private init?(_ object: JSONObject, at now: Date?, apiKey: String?) {
    func text(_ key: String) -> String? { (try? object.optional(key)?.string) ?? nil }
    func number(_ key: String) -> Double? { (try? object.optional(key)?.double) ?? nil }
    guard let access = text("access_token"), access.isHeaderWord, apiKey?.isHeaderWord != false
    else { return nil }
    let expiry =
      text("expires_at").flatMap { Date(internetText: $0) }
      ?? number("expires_at").map { Date(timeIntervalSince1970: $0) }
      ?? number("expires_in").flatMap { seconds in now?.addingTimeInterval(seconds) }
    self.init(access: access, refresh: text("refresh_token"), expiry: expiry, apiKey: apiKey)
  }

  /// The text of a token file.
  package var text: String {
    let members: [(String, String?)] = [
      ("access_token", access), ("refresh_token", refresh), ("expires_at", expiry?.internetText),
      ("api_key", apiKey),
    ]
    let object = JSONValue.object(
      members.compactMap { key, value in value.map { .init(key, .string($0)) } })
    return object.text(.pretty) + "\n"
  }
}

extension Token: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "Token" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension String {
  /// A Boolean value indicating whether the text can stand in a header as one word: printable ASCII.
  fileprivate var isHeaderWord: Bool { !isEmpty && utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } }
}
