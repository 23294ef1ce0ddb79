package import JSONText

/// The keys of outbox payloads that conversions read.
///
/// Different versions of the apps write most keys in two styles.
package enum PayloadKey: Int, CaseIterable, Sendable {
  case id, localID, localIDInCamelCase, entryID, entryIDInCamelCase
  case conversationID, conversationIDInCamelCase, userID, userIDInCamelCase
  case backendID, backendIDInCamelCase, valence, labels, content
  case linkedMoodID, linkedMoodIDInCamelCase, title, category
  case messageID, messageIDInCamelCase

  /// The keys as payloads spell them, in the order of the cases.
  package static let names = [
    "id", "local_id", "localId", "entry_id", "entryId", "conversation_id", "conversationId",
    "user_id", "userId", "backend_id", "backendId", "valence", "labels", "content",
    "linked_mood_id", "linkedMoodId", "title", "category", "message_id", "messageId",
  ]

  /// Whether a payload that has the key twice is ambiguous.
  fileprivate var mustBeClear: Bool { self != .messageID && self != .messageIDInCamelCase }
}

/// The keys of a payload with the offsets of their values, found in one pass without copying.
package struct PayloadKeys {
  /// The offset of each top-level key's value, at its first occurrence; 0 if the key is missing.
  ///
  /// 32 bits suffice, because SQLite has no values of 4 GiB.
  private var places: InlineArray<20, UInt32> = .init(repeating: 0)

  /// The offset of the value of the last key that names the user; `nil` if no key does.
  package private(set) var lastUser: Int?

  /// Whether the payload is an object without ambiguous keys.
  package private(set) var isClear = false

  /// Whether a key occurs twice that is ambiguous then.
  private var isRepeated = false

  /// Whether a key, at any depth, is a password's or token's.
  package private(set) var hasSecret = false

  /// Whether a key, at any depth, says that its value is a secret.
  ///
  /// It is always `false` unless secrets were requested.
  package private(set) var namesSecret = false

  /// Creates the empty set of keys, as of a payload that isn't JSON.
  package init() {}

  /// Finds the keys of a payload; a text that isn't JSON has no keys.
  ///
  /// - Complexity: O(*n*) in the number of bytes, without allocations if no key has escapes.
  package init(_ payload: Span<UInt8>, tellingSecrets: Bool = false) {
    self = Self.classified(payload, tellingSecrets: tellingSecrets).keys
  }

  /// Classifies a payload and finds its keys; a text that isn't JSON has no keys.
  ///
  /// - Complexity: O(*n*) in the number of bytes, without allocations if no key has escapes.
  package static func classified(
    _ payload: Span<UInt8>, tellingSecrets: Bool = false
  ) -> (kind: PayloadClass, keys: PayloadKeys) {
    var found = PayloadKeys()
    let kind = PayloadClass(of: payload) { key in
      found.note(key, in: payload)
      if tellingSecrets, !found.namesSecret, SecretNames.occur(in: key, of: payload) {
        found.namesSecret = true
      }
    }
    guard kind.isJSON else { return (kind, PayloadKeys()) }
    found.isClear = !found.isRepeated && payload.isObject
    return (kind, found)
  }

  private mutating func note(_ key: JSONKey, in payload: Span<UInt8>) {
    guard let place = Self.place(of: key, in: payload) else { return }
    guard place < PayloadKey.names.count, let name = PayloadKey(rawValue: place) else {
      hasSecret = true
      return
    }
    guard key.depth == 1 else { return }
    if places[place] == 0 {
      places[place] = UInt32(key.valueStart)
    } else if name.mustBeClear {
      isRepeated = true
    }
    if name == .userID || name == .userIDInCamelCase { lastUser = key.valueStart }
  }

  /// Returns the offset of the first of several keys' values; `nil` if the payload has no such key.
  package func place(of keys: [PayloadKey]) -> Int? {
    for key in keys where places[key.rawValue] != 0 { return Int(places[key.rawValue]) }
    return nil
  }

  /// The names to find: the payload keys, and the keys of passwords and tokens.
  private static let table = NameTable(
    PayloadKey.names + [
      "password", "token", "access_token", "accessToken", "refresh_token", "refreshToken",
      "auth_token", "authToken", "api_key", "apiKey",
    ])

  private static func place(of key: JSONKey, in payload: Span<UInt8>) -> Int? {
    guard key.hasEscapes else { return table.place(of: payload.extracting(key.name)) }
    guard let name = payload.name(of: key) else { return nil }
    let bytes = Array(name.utf8)
    return table.place(of: bytes.span)
  }
}

extension Span<UInt8> {
  /// Whether a JSON text is an object.
  fileprivate var isObject: Bool {
    for index in indices {
      switch self[index] {
      case 0x20, 0x09, 0x0A, 0x0D: continue
      case let byte: return byte == UInt8(ascii: "{")
      }
    }
    return false
  }
}

extension Span<UInt8> {
  /// Whether a key of a JSON text says that its value is a secret.
  package var namesSecret: Bool {
    var isSecret = false
    let kind = PayloadClass(of: self) { key in
      if !isSecret, SecretNames.occur(in: key, of: self) { isSecret = true }
    }
    return isSecret && kind.isJSON
  }
}

extension SecretNames {
  /// Returns whether one of the words occurs in a key, with its escapes decoded.
  static func occur(in key: JSONKey, of text: Span<UInt8>) -> Bool {
    guard key.hasEscapes, let name = text.name(of: key) else {
      return occur(in: text.extracting(key.name))
    }
    return occur(in: name)
  }
}
