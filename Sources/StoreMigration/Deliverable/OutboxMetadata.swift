import JSONText
import StoreModel

/// The metadata of an event in FitIQCore's own coding: flat, with the case under `type`.
enum OutboxMetadata: Hashable {
  case mood(valence: Double, labels: [String])
  case journal(wordCount: Int, linkedMood: [UInt8]?)
  case goal(title: String, category: String)

  /// What a delete needs to know: the app recognises one by this alone.
  case delete(key: String, id: String?)

  /// Nothing is known that could be told; the app sends the row all the same.
  case unknown

  /// The metadata of an event: from the live entity where there is one, else from the payload.
  init(_ intent: OutboxIntent, _ payload: OutboxPayload, _ live: LiveEntity?) {
    let (facts, said) = (live?.facts ?? EntityFacts(), payload.facts)
    self = .unknown
    switch (intent.subject, intent.deed) {
    case (.conversation, _):
      self = .delete(key: "conversationId", id: uuidText(payload.entity))
    case (_, .delete): self = .delete(key: "backendId", id: payload.backendID)
    case (.mood, _):
      if let valence = facts.valence ?? said.valence, valence.isFinite {
        self = .mood(valence: valence, labels: facts.labels ?? said.labels ?? [])
      }
    case (.journal, _):
      if let count = facts.wordCount ?? said.wordCount {
        let mood = live == nil ? said.linkedMood : facts.linkedMood
        self = .journal(wordCount: count, linkedMood: mood)
      }
    case (.goal, _):
      if let title = facts.title ?? said.title, let category = facts.category ?? said.category {
        self = .goal(title: title, category: category)
      }
    }
  }

  /// The text; none where nothing is known.
  var text: String? { json?.text() }

  private var json: JSONValue? {
    switch self {
    case .unknown: nil
    case .mood(let valence, let labels):
      [
        "type": "moodEntry", "valence": .double(valence),
        "labels": JSONValue(labels) { .string($0) },
      ]
    case .journal(let count, let mood):
      .object(
        [.init("type", "journalEntry"), .init("wordCount", .int(Int64(count)))]
          + (mood.map { [.init("linkedMoodID", .string(uuidText($0)))] } ?? []))
    case .goal(let title, let category):
      ["type": "goal", "title": .string(title), "category": .string(category)]
    case .delete(let key, let id):
      [
        "type": "generic",
        "data": .object(
          [.init("operation", "delete")] + (id.map { [.init(key, .string($0))] } ?? [])),
      ]
    }
  }
}
