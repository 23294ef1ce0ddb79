import JSONText
import StoreModel

/// What the payload of an event says that its row needs.
struct OutboxPayload: Hashable, Sendable {
  /// The 16 bytes of the entity's id.
  let entity: [UInt8]

  /// The user's id, as it is spelt.
  var user: String?

  /// The id that the server gave the entity.
  var backendID: String?

  /// What it says of the entity itself.
  var facts = EntityFacts()
}

/// What the metadata of an event tells of its entity; each app version tells another part.
struct EntityFacts: Hashable, Sendable {
  var valence: Double?
  var labels: [String]?
  var wordCount: Int?
  var linkedMood: [UInt8]?
  var title: String?
  var category: String?
}

extension OutboxPayload {
  /// Reads a payload, its keys in either style.
  ///
  /// Nothing is guessed: what isn't one JSON object, names a key twice, or doesn't name the entity by a
  /// UUID, is no payload.
  /// - Complexity: O(*n*) in the number of bytes.
  init?(_ text: Span<UInt8>, for intent: OutboxIntent) {
    guard isJSONText(text) else { return nil }
    self.init(text, PayloadKeys(text), for: intent)
  }

  /// Reads a JSON text whose keys are known.
  init?(_ text: Span<UInt8>, _ keys: PayloadKeys, for intent: OutboxIntent) {
    guard keys.isClear else { return nil }
    var reader = PayloadReader(keys: keys)
    guard let name = reader.text(text, Self.entityKeys(intent)), let entity = uuidBytes(name)
    else { return nil }
    self.init(entity: entity)
    user = reader.text(text, Self.userKeys)
    backendID = reader.text(text, Self.backendKeys)
    if let id = backendID, id.isEmpty || id == "none" { backendID = nil }
    facts = reader.facts(text, of: intent)
    if reader.hasWrongType { return nil }
  }

  /// Returns whether a JSON text whose keys are known is certain to be readable, without reading it.
  ///
  /// What has an escape in a value that counts isn't certain.
  /// - Complexity: O(1): nothing is allocated.
  static func isCertainlyReadable(
    _ text: Span<UInt8>, _ keys: PayloadKeys, for intent: OutboxIntent
  ) -> Bool {
    guard keys.isClear, let place = keys.place(of: entityKeys(intent)),
      let name = text.jsonString(at: place), isUUID(text.extracting(name))
    else { return false }
    return isCertainID(keys.place(of: userKeys), in: text)
      && isCertainID(keys.place(of: backendKeys), in: text)
  }

  /// Returns whether an id is missing, null or a string without escapes.
  private static func isCertainID(_ place: Int?, in text: Span<UInt8>) -> Bool {
    guard let place else { return true }
    guard let value = text.jsonString(at: place) else { return text[place] == UInt8(ascii: "n") }
    return !value.contains { text[$0] == UInt8(ascii: "\\") }
  }

  /// The 16 bytes of the entity that a JSON text names, if it is certain to be readable.
  static func certainEntity(
    _ text: Span<UInt8>, _ keys: PayloadKeys, for intent: OutboxIntent
  ) -> [UInt8]? {
    guard isCertainlyReadable(text, keys, for: intent),
      let name = keys.place(of: entityKeys(intent)).flatMap({ text.jsonString(at: $0) })
    else { return nil }
    return uuidBytes(text.extracting(name))
  }

  private static let userKeys: [PayloadKey] = [.userID, .userIDInCamelCase]
  private static let backendKeys: [PayloadKey] = [.backendID, .backendIDInCamelCase]

  /// The keys that name the entity, the best first.
  private static func entityKeys(_ intent: OutboxIntent) -> [PayloadKey] {
    switch (intent.subject, intent.deed) {
    case (.conversation, _): conversationKeys
    case (.journal, .delete): deletedJournalKeys
    case (_, .delete): deletedKeys
    case (.journal, _): journalKeys
    default: plainKeys
    }
  }

  private static let conversationKeys: [PayloadKey] = [
    .conversationID, .conversationIDInCamelCase,
  ]
  private static let deletedKeys: [PayloadKey] = [.localID, .localIDInCamelCase, .id]
  private static let deletedJournalKeys: [PayloadKey] = [
    .localID, .localIDInCamelCase, .entryID, .entryIDInCamelCase, .id,
  ]
  private static let journalKeys: [PayloadKey] = [.id, .entryID, .entryIDInCamelCase]
  private static let plainKeys: [PayloadKey] = [.id]
}

/// Reads single values of a payload.
private struct PayloadReader {
  let keys: PayloadKeys

  /// A Boolean value indicating whether an id was there and is no text.
  private(set) var hasWrongType = false

  /// The text of the first of several keys; `null` counts as none.
  mutating func text(_ bytes: Span<UInt8>, _ names: [PayloadKey]) -> String? {
    guard let place = keys.place(of: names) else { return nil }
    if let text = bytes.plainString(at: place) { return text }
    let node = node(bytes, names)
    if node?.isNull == true { return nil }
    let text = try? node?.string
    if text == nil { hasWrongType = true }
    return text
  }

  /// What a payload says of its entity; what has another type than it should isn't there.
  func facts(_ bytes: Span<UInt8>, of intent: OutboxIntent) -> EntityFacts {
    var facts = EntityFacts()
    switch (intent.subject, intent.deed) {
    case (_, .delete), (.conversation, _): break
    case (.mood, _):
      facts.valence = try? node(bytes, [.valence])?.double
      facts.labels = try? node(bytes, [.labels])?.strings
    case (.journal, _):
      let content = string(bytes, [.content])
      facts.wordCount = content.map { Array($0.utf8).span.wordCount }
      facts.linkedMood = (try? node(bytes, [.linkedMoodID, .linkedMoodIDInCamelCase])?.string)
        .flatMap(uuidBytes)
    case (.goal, _):
      facts.title = string(bytes, [.title])
      facts.category = string(bytes, [.category])
    }
    return facts
  }

  /// The string under the first of several keys.
  private func string(_ bytes: Span<UInt8>, _ names: [PayloadKey]) -> String? {
    guard let place = keys.place(of: names) else { return nil }
    return bytes.plainString(at: place) ?? (try? node(bytes, names)?.string)
  }

  private func node(_ bytes: Span<UInt8>, _ names: [PayloadKey]) -> JSONNode? {
    guard let place = keys.place(of: names) else { return nil }
    let value = Array(copying: bytes.extracting(bytes.jsonValue(at: place)))
    return try? JSONNode(parsing: value)
  }
}

extension Span<UInt8> {
  /// The JSON string that begins at a place, if it is one without escapes.
  fileprivate func plainString(at place: Int) -> String? {
    guard let range = jsonString(at: place) else { return nil }
    let text = extracting(range)
    for index in text.indices where text[index] == UInt8(ascii: "\\") { return nil }
    return String(decoding: Array(copying: text), as: UTF8.self)
  }

  /// The words of a text as the app counts them: the pieces between spaces that aren't empty.
  var wordCount: Int {
    var count = 0
    var isInWord = false
    for index in indices {
      let isSpace = self[index] == UInt8(ascii: " ")
      if !isSpace && !isInWord { count += 1 }
      isInWord = !isSpace
    }
    return count
  }
}
