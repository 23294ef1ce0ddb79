import JSONText

/// The keys of outbox payloads that something depends on.
///
/// Most are written in two styles, by different versions of the apps.
enum PayloadKey: Int, CaseIterable {
  case id, localID, localIDInCamelCase, entryID, entryIDInCamelCase
  case conversationID, conversationIDInCamelCase, userID, userIDInCamelCase
  case backendID, backendIDInCamelCase, valence, labels, content
  case linkedMoodID, linkedMoodIDInCamelCase, title, category
  case messageID, messageIDInCamelCase

  /// The keys as payloads spell them, in the order of the cases.
  fileprivate static let names = [
    "id", "local_id", "localId", "entry_id", "entryId", "conversation_id", "conversationId",
    "user_id", "userId", "backend_id", "backendId", "valence", "labels", "content",
    "linked_mood_id", "linkedMoodId", "title", "category", "message_id", "messageId",
  ]

  /// A Boolean value indicating whether it can't be told what an event is about if its payload has the
  /// key twice.
  fileprivate var mustBeClear: Bool { self != .messageID && self != .messageIDInCamelCase }
}

/// What a pass over the keys of one payload found: places of values, nothing copied.
struct PayloadKeys {
  /// Where the value of each key at the top begins, at its first occurrence; 0 where there is none.
  private var places: InlineArray<20, Int> = .init(repeating: 0)

  /// Where the value begins of the last key that names the user; 0 where there is none.
  private(set) var lastUser = 0

  /// A Boolean value indicating whether the payload is an object that has no key twice which it must
  /// have once.
  private(set) var isClear = false

  /// A Boolean value indicating whether a key, at any depth, is that of a password or token.
  private(set) var hasSecret = false

  /// A payload that has no keys, because it is no JSON text.
  init() {}

  /// Looks at the keys of a JSON text.
  /// - Complexity: O(*n*) in the number of bytes, without an allocation.
  init(_ payload: Span<UInt8>) {
    var found = PayloadKeys()
    var isRepeated = false
    visitJSONKeys(of: payload) { key in
      guard
        let known = KnownName.all(ofLength: key.name.count).first(where: {
          payload.holds($0.bytes, at: key.name)
        })
      else { return }
      guard let name = known.key else {
        found.hasSecret = true
        return
      }
      guard key.depth == 1 else { return }
      if found.places[name.rawValue] == 0 {
        found.places[name.rawValue] = key.valueStart
      } else if name.mustBeClear {
        isRepeated = true
      }
      if name == .userID || name == .userIDInCamelCase { found.lastUser = key.valueStart }
    }
    found.isClear = !isRepeated && payload.isObject
    self = found
  }

  /// Where the value of the first of several keys begins; none where the payload has none of them.
  func place(of keys: [PayloadKey]) -> Int? {
    for key in keys where places[key.rawValue] != 0 { return places[key.rawValue] }
    return nil
  }
}

/// A name that is looked for among the keys of payloads.
private struct KnownName {
  let bytes: [UInt8]

  /// The key; none for that of a password or token.
  let key: PayloadKey?

  private static let secrets = [
    "password", "token", "access_token", "accessToken", "refresh_token", "refreshToken",
    "auth_token", "authToken", "api_key", "apiKey",
  ]

  /// The names by their lengths, so that few are compared with each key.
  private static let byLength: [[KnownName]] = {
    let keys = zip(PayloadKey.names, PayloadKey.allCases)
      .map { KnownName(bytes: Array($0.utf8), key: $1) }
    let all = keys + secrets.map { KnownName(bytes: Array($0.utf8), key: nil) }
    let longest = all.map(\.bytes.count).max() ?? 0
    return (0...longest).map { length in all.filter { $0.bytes.count == length } }
  }()

  static func all(ofLength length: Int) -> [KnownName] {
    length < byLength.count ? byLength[length] : []
  }
}

extension Span<UInt8> {
  /// A Boolean value indicating whether a JSON text is an object.
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
