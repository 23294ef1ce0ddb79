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

/// What the metadata of an event tells of its entity; each subject has other facts.
///
/// None is what isn't told, or can't be read.
struct EntityFacts: Hashable, Sendable {
  var valence: Double?
  var labels: [String]?
  var wordCount: Int?
  var link: MoodLink?
  var title: String?
  var category: String?

  /// The mood that a journal entry is linked to.
  enum MoodLink: Hashable, Sendable {
    case none

    /// The 16 bytes of its id.
    case mood([UInt8])
  }
}

extension OutboxPayload {
  /// Reads a payload, its keys in either style.
  ///
  /// Nothing is guessed: what isn't one JSON object, names a key twice, or doesn't name the entity by a
  /// UUID, is no payload.
  /// - Complexity: O(*n*) in the number of bytes.
  init?(_ text: Span<UInt8>, for intent: OutboxIntent) {
    guard isJSONText(text), let members = PayloadMembers(text) else { return nil }
    var reader = PayloadReader(members: members)
    guard let name = reader.text(text, Self.entityKeys(intent)), let entity = uuidBytes(name)
    else { return nil }
    self.init(entity: entity)
    user = reader.text(text, ["user_id", "userId"])
    backendID = reader.text(text, ["backend_id", "backendId"])
    if let id = backendID, id.isEmpty || id == "none" { backendID = nil }
    facts = reader.facts(text, of: intent)
    if reader.hasWrongType { return nil }
  }

  /// The keys that name the entity, the best first.
  private static func entityKeys(_ intent: OutboxIntent) -> [String] {
    switch (intent.subject, intent.deed) {
    case (.conversation, _): ["conversation_id", "conversationId"]
    case (.journal, .delete): ["local_id", "localId", "entry_id", "entryId", "id"]
    case (_, .delete): ["local_id", "localId", "id"]
    case (.journal, _): ["id", "entry_id", "entryId"]
    default: ["id"]
    }
  }
}

/// Where the values of an object's keys begin.
private struct PayloadMembers {
  private var places: [String: Int] = [:]

  /// The keys that some payload has and some row needs.
  private static let known = [
    "id", "local_id", "localId", "entry_id", "entryId", "conversation_id", "conversationId",
    "user_id", "userId", "backend_id", "backendId", "valence", "labels", "content",
    "linked_mood_id", "linkedMoodId", "title", "category",
  ].map { (name: $0, bytes: Array($0.utf8)) }

  /// The members of a text that is an object; none where a key is there twice.
  init?(_ text: Span<UInt8>) {
    guard let first = text.indices.first(where: { !text[$0].isJSONSpace }),
      text[first] == UInt8(ascii: "{")
    else { return nil }
    var places: [String: Int] = [:]
    var isAmbiguous = false
    visitJSONKeys(of: text) { key in
      guard key.depth == 1,
        let known = Self.known.first(where: { text.holds($0.bytes, as: key) })
      else { return }
      if places.updateValue(key.valueStart, forKey: known.name) != nil { isAmbiguous = true }
    }
    if isAmbiguous { return nil }
    self.places = places
  }

  /// The place of the first of several keys.
  func place(of keys: [String]) -> Int? {
    for key in keys { if let place = places[key] { return place } }
    return nil
  }
}

/// Reads single values of a payload.
private struct PayloadReader {
  let members: PayloadMembers

  /// A Boolean value indicating whether an id was there and is no text.
  private(set) var hasWrongType = false

  /// The text of the first of several keys; `null` counts as none.
  mutating func text(_ bytes: Span<UInt8>, _ keys: [String]) -> String? {
    guard members.place(of: keys) != nil else { return nil }
    let node = node(bytes, keys)
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
      facts.valence = try? node(bytes, ["valence"])?.double
      facts.labels = try? node(bytes, ["labels"])?.strings
    case (.journal, _):
      let content = try? node(bytes, ["content"])?.string
      facts.wordCount = content.map { Array($0.utf8).span.wordCount }
      facts.link = link(bytes)
    case (.goal, _):
      facts.title = try? node(bytes, ["title"])?.string
      facts.category = try? node(bytes, ["category"])?.string
    }
    return facts
  }

  private func link(_ bytes: Span<UInt8>) -> EntityFacts.MoodLink? {
    let keys = ["linked_mood_id", "linkedMoodId"]
    guard members.place(of: keys) != nil else { return EntityFacts.MoodLink.none }
    guard let node = node(bytes, keys) else { return nil }
    if node.isNull { return EntityFacts.MoodLink.none }
    return (try? node.string).flatMap(uuidBytes).map { .mood($0) }
  }

  private func node(_ bytes: Span<UInt8>, _ keys: [String]) -> JSONNode? {
    guard let place = members.place(of: keys) else { return nil }
    let value = Array(copying: bytes.extracting(bytes.jsonValue(at: place)))
    return try? JSONNode(parsing: value)
  }
}

extension Span<UInt8> {
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

extension UInt8 {
  fileprivate var isJSONSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
