import OutboxStore
import JSONText
package import Platform

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// An access token with the means to renew it.
package struct AccessToken: Hashable, Sendable {
  /// The access token.
  package let access: String

  /// The refresh token, or `nil` if the access token can't be renewed.
  package let refresh: String?

  /// The expiry date, or `nil` if it isn't known.
  package let expiry: Date?

  /// The app's API key, or `nil` if there isn't one.
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

/// An error of a token file; descriptions contain no part of it.
package enum TokenError: Error, Hashable, Sendable {
  /// The text is neither a token nor JSON with a token.
  case unreadable

  /// The system can't read the file.
  case file(SystemError)
}

extension TokenError: CustomStringConvertible, LocalizedError {
  package var errorDescription: String? { description }

  package var description: String {
    switch self {
    case .unreadable: "the token file contains neither a token nor JSON with 'access_token'"
    case .file(let error): "\(error); check '--token-file'"
    }
  }
}

extension AccessToken {
  /// Reads a token file of at most 64 KiB.
  init(file path: String) throws(TokenError) {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try FileSystem.read(path, limit: 1 << 16)
    } catch {
      throw .file(error)
    }
    try self.init(text: String(decoding: bytes, as: UTF8.self))
  }

  /// Parses the text of a token file: a token or JSON.
  ///
  /// The JSON has `access_token`, and optionally `refresh_token`, `expires_at` (ISO 8601, or
  /// seconds since 1970) and `api_key`.
  package init(text: String) throws(TokenError) {
    let trimmed = text.trimmed
    guard trimmed.hasPrefix("{") else {
      guard trimmed.isHeaderWord else { throw .unreadable }
      self.init(access: trimmed)
      return
    }
    guard let object = try? JSONNode(parsing: trimmed).object,
      let token = AccessToken(
        object, at: nil, apiKey: (try? object.optional("api_key")?.string) ?? nil)
    else { throw .unreadable }
    self = token
  }

  /// Parses the server's response: the object itself, or the one under `data`.
  init?(response: [UInt8], at now: Date, replacing old: AccessToken) {
    guard let object = try? JSONNode(parsing: response).object else { return nil }
    let inner = (try? object.optional("data")?.object) ?? object
    guard let token = AccessToken(inner, at: now, apiKey: old.apiKey) else { return nil }
    // Without a new refresh token, the old one stays valid.
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

  /// The contents of a token file.
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

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "AccessToken" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension String {
  /// The text without white space around it.
  fileprivate var trimmed: String {
    guard let start = firstIndex(where: { !$0.isWhitespace }),
      let end = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[start...end])
  }

  /// Whether the text can be a word in a header: printable ASCII without spaces.
  fileprivate var isHeaderWord: Bool { !isEmpty && utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } }
}
