import JSONText
import StoreModel

/// The values of an event's payload that its new row needs.
package struct OutboxPayload: Hashable, Sendable {
  /// The 16 bytes of the entity's id.
  package let entity: [UInt8]

  /// The 16 bytes of the user's id; `nil` if the payload names no user, or not by a UUID.
  package var user: [UInt8]?

  /// The id that the server gave the entity.
  package var backendID: String?

  /// The facts that the payload states about the entity.
  package var facts = EntityFacts()
}

/// The facts that an event's metadata states about its entity; each subject has its own.
///
/// A fact is `nil` if it isn't stated or can't be read.
package struct EntityFacts: Hashable, Sendable {
  package var valence: Double?
  package var labels: [String]?
  package var wordCount: Int?
  package var link: MoodLink?
  package var title: String?
  package var category: String?

  /// Creates facts; omitted facts are unknown.
  package init(
    valence: Double? = nil, labels: [String]? = nil, wordCount: Int? = nil, link: MoodLink? = nil,
    title: String? = nil, category: String? = nil
  ) {
    self.valence = valence
    self.labels = labels
    self.wordCount = wordCount
    self.link = link
    self.title = title
    self.category = category
  }

  /// The mood that a journal entry is linked to.
  package enum MoodLink: Hashable, Sendable {
    case none

    /// The 16 bytes of the mood's id.
    case mood([UInt8])

    /// The 16 bytes of the mood's id; `nil` if there is no link.
    package var mood: [UInt8]? { if case .mood(let id) = self { id } else { nil } }
  }

  /// Returns these facts, with unknown facts taken from others.
  package func completed(by others: EntityFacts) -> EntityFacts {
    EntityFacts(
      valence: valence ?? others.valence, labels: labels ?? others.labels,
      wordCount: wordCount ?? others.wordCount, link: link ?? others.link,
      title: title ?? others.title, category: category ?? others.category)
  }
}

extension OutboxPayload {
  /// Reads a payload, with keys in either style.
  ///
  /// Nothing is guessed: returns `nil` if the text isn't a JSON object, has an ambiguous key, or
  /// doesn't name the entity by a UUID.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  package init?(_ text: Span<UInt8>, for intent: OutboxIntent, hasFacts: Bool = true) {
    self.init(text, PayloadKeys(text), for: intent, hasFacts: hasFacts)
  }

  /// Reads a payload whose keys are known; they also show whether the text is JSON.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - keys: The keys of the text.
  ///   - intent: The event's intent.
  ///   - hasFacts: Whether to read the facts about the entity as well.
  package init?(
    _ text: Span<UInt8>, _ keys: PayloadKeys, for intent: OutboxIntent, hasFacts: Bool
  ) {
    guard keys.isClear else { return nil }
    var reader = PayloadReader(keys: keys)
    guard let entity = reader.uuid(text, intent.entityKeys) else { return nil }
    self.init(entity: entity)
    user = reader.uuid(text, Self.userKeys)
    backendID = reader.text(text, Self.backendKeys)
    if let id = backendID, id.isEmpty || id == "none" { backendID = nil }
    if reader.hasWrongType { return nil }
    if hasFacts { facts = reader.facts(text, of: intent) }
  }

  /// Returns whether a payload whose keys are known can be read.
  ///
  /// - Complexity: O(1), without allocations, if no id has escapes.
  package static func isReadable(
    _ text: Span<UInt8>, _ keys: PayloadKeys, for intent: OutboxIntent
  ) -> Bool {
    guard keys.isClear, let place = keys.place(of: intent.entityKeys) else { return false }
    guard let name = text.plainString(at: place),
      text.isCertainID(at: keys.place(of: userKeys)),
      text.isCertainID(at: keys.place(of: backendKeys))
    else { return OutboxPayload(text, keys, for: intent, hasFacts: false) != nil }
    return isUUID(text.extracting(name))
  }

  private static let userKeys: [PayloadKey] = [.userID, .userIDInCamelCase]
  private static let backendKeys: [PayloadKey] = [.backendID, .backendIDInCamelCase]
}

/// Reads single values of a payload.
private struct PayloadReader {
  let keys: PayloadKeys

  /// Whether an id has a value that is neither a text nor `null`.
  private(set) var hasWrongType = false

  /// Returns the text of the first of several keys; `nil` if it is missing or `null`.
  mutating func text(_ bytes: Span<UInt8>, _ names: [PayloadKey]) -> String? {
    guard let place = keys.place(of: names) else { return nil }
    if let text = string(bytes, at: place) { return text }
    if node(bytes, names)?.isNull != true { hasWrongType = true }
    return nil
  }

  /// Returns the 16 bytes of the UUID under the first of several keys.
  mutating func uuid(_ bytes: Span<UInt8>, _ names: [PayloadKey]) -> [UInt8]? {
    if let plain = keys.place(of: names).flatMap({ bytes.plainString(at: $0) }) {
      return uuidBytes(bytes.extracting(plain))
    }
    return text(bytes, names).flatMap { uuidBytes($0) }
  }

  /// Returns the facts about the entity; a value of the wrong type counts as missing.
  func facts(_ bytes: Span<UInt8>, of intent: OutboxIntent) -> EntityFacts {
    var facts = EntityFacts()
    switch (intent.subject, intent.operation) {
    case (_, .delete), (.conversation, _): break
    case (.mood, _):
      facts.valence = try? node(bytes, [.valence])?.double
      facts.labels = try? node(bytes, [.labels])?.strings
    case (.journal, _):
      let content = keys.place(of: [.content]).flatMap { string(bytes, at: $0) }
      facts.wordCount = content.map { Array($0.utf8).span.wordCount }
      facts.link = link(bytes)
    case (.goal, _):
      facts.title = keys.place(of: [.title]).flatMap { string(bytes, at: $0) }
      facts.category = keys.place(of: [.category]).flatMap { string(bytes, at: $0) }
    }
    return facts
  }

  private func link(_ bytes: Span<UInt8>) -> EntityFacts.MoodLink? {
    let names: [PayloadKey] = [.linkedMoodID, .linkedMoodIDInCamelCase]
    guard keys.place(of: names) != nil else { return EntityFacts.MoodLink.none }
    guard let node = node(bytes, names) else { return nil }
    if node.isNull { return EntityFacts.MoodLink.none }
    return (try? node.string).flatMap(uuidBytes).map { .mood($0) }
  }

  /// Returns the string at an offset; `nil` if the value isn't a string.
  private func string(_ bytes: Span<UInt8>, at place: Int) -> String? {
    if let plain = bytes.plainString(at: place) {
      return String(decoding: Array(copying: bytes.extracting(plain)), as: UTF8.self)
    }
    return try? Self.node(bytes, at: place)?.string
  }

  private func node(_ bytes: Span<UInt8>, _ names: [PayloadKey]) -> JSONNode? {
    keys.place(of: names).flatMap { Self.node(bytes, at: $0) }
  }

  private static func node(_ bytes: Span<UInt8>, at place: Int) -> JSONNode? {
    let value = Array(copying: bytes.extracting(bytes.jsonValue(at: place)))
    return try? JSONNode(parsing: value)
  }
}

extension Span<UInt8> {
  /// Returns the range of a JSON string's text if it is short, ASCII, and without escapes.
  fileprivate func plainString(at place: Int) -> Range<Int>? {
    plainJSONString(at: place).flatMap { $0.count < 65_536 ? $0 : nil }
  }

  /// Returns `true` only if an id is missing, `null`, or a string that needs no parsing.
  fileprivate func isCertainID(at place: Int?) -> Bool {
    guard let place else { return true }
    return self[place] == UInt8(ascii: "n") || plainString(at: place) != nil
  }
}

extension Span<UInt8> {
  /// The number of words as the app counts them: the nonempty pieces between spaces.
  package var wordCount: Int {
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
