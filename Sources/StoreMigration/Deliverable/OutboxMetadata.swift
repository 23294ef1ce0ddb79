import JSONText
import StoreModel
import Migrations
import RowRewriting

/// The metadata of an event in FitIQCore's own coding: flat, with the case under `type`.
enum OutboxMetadata: Hashable {
  case mood(valence: Double, labels: [String])
  case journal(wordCount: Int, EntityFacts.MoodLink)
  case goal(title: String, category: String)

  /// What a delete needs to know: the app recognises one by this alone.
  case delete(key: String, id: String?)

  /// Nothing is known that could be told; the app sends the row all the same.
  case unknown

  /// The metadata of an event.
  ///
  /// Each fact is the live entity's where it can be read, else the payload's. Where neither tells one,
  /// nothing is made up: the metadata is left out.
  init(of event: OutboxEvent, saying said: EntityFacts, _ live: LiveEntity?) {
    let facts = live?.facts ?? EntityFacts()
    self = .unknown
    switch (event.intent.subject, event.intent.deed) {
    case (.conversation, _):
      self = .delete(key: "conversationId", id: uuidText(event.entity))
    case (_, .delete): self = .delete(key: "backendId", id: event.backendID)
    case (.mood, _):
      if let valence = facts.valence ?? said.valence, valence.isFinite,
        let labels = facts.labels ?? said.labels
      {
        self = .mood(valence: valence, labels: labels)
      }
    case (.journal, _):
      if let count = facts.wordCount ?? said.wordCount, let link = facts.link ?? said.link {
        self = .journal(wordCount: count, link)
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
    case .journal(let count, .none):
      ["type": "journalEntry", "wordCount": .int(Int64(count))]
    case .journal(let count, .mood(let id)):
      [
        "type": "journalEntry", "wordCount": .int(Int64(count)),
        "linkedMoodID": .string(uuidText(id)),
      ]
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
