#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What an event tells of its entity.
public enum OutboxMetadata: Hashable, Sendable {
  case progressEntry(metricType: String, value: Double, unit: String)
  case moodEntry(valence: Double, labels: [String])
  case journalEntry(wordCount: Int, linkedMoodID: UUID?)

  /// A night; the duration is in seconds.
  case sleepSession(duration: TimeInterval, quality: Double?)

  case mealLog(calories: Double, macros: [String: Double])

  /// A workout; the duration is in seconds.
  case workout(type: String, duration: TimeInterval)

  case goal(title: String, category: String)

  /// Anything else; deletes are among it, see ``deletion``.
  case generic([String: String])
}

extension OutboxMetadata {
  /// What a delete names: the apps recognise one by its metadata alone.
  public struct Deletion: Hashable, Sendable {
    /// The id on the server under `backendId`, Lume's spelling.
    package let lumeID: String?

    /// The id on the server under `backendID`, FitIQ's spelling.
    package let fitIQID: String?

    /// The conversation, of a delete in a chat.
    public let conversationID: String?

    /// The entity's id on the server; `nil` if it never came there.
    package var backendID: String? { Self.serverID(lumeID ?? fitIQID) }

    /// Reads the values of a generic case; `nil` if they aren't a delete's.
    public init?(_ data: [String: String]) {
      guard data["operation"] == "delete" else { return nil }
      lumeID = data["backendId"]
      fitIQID = data["backendID"]
      conversationID = data["conversationId"]
    }

    /// Returns an id, or `nil` for the empty text and for `none`, which Lume wrote if it had no id.
    package static func serverID(_ text: String?) -> String? {
      text.flatMap { $0.isEmpty || $0 == "none" ? nil : $0 }
    }
  }

  /// What is to be deleted; `nil` if the event isn't a delete.
  public var deletion: Deletion? {
    guard case .generic(let data) = self else { return nil }
    return Deletion(data)
  }

  /// The metadata of a delete as Lume writes it.
  ///
  /// - Parameter backendID: The entity's id on the server; `nil` if it never came there.
  /// - Returns: The metadata.
  package static func delete(backendID: String?) -> OutboxMetadata {
    var data = ["operation": "delete"]
    data["backendId"] = backendID
    return .generic(data)
  }

  /// The metadata of a conversation's delete as Lume writes it.
  package static func delete(conversationID: String) -> OutboxMetadata {
    .generic(["operation": "delete", "conversationId": conversationID])
  }

  /// The metadata of a creation or an update of Lume's.
  ///
  /// `nil` if a fact isn't known: nothing is made up.
  package init?(_ subject: OutboxSubject, _ facts: EntityFacts) {
    switch subject {
    case .mood:
      guard let valence = facts.valence, valence.isFinite, let labels = facts.labels else {
        return nil
      }
      self = .moodEntry(valence: valence, labels: labels)
    case .journal:
      guard let count = facts.wordCount, let link = facts.link else { return nil }
      self = .journalEntry(wordCount: count, linkedMoodID: link.mood.flatMap(UUID.init(bytes:)))
    case .goal:
      guard let title = facts.title, let category = facts.category else { return nil }
      self = .goal(title: title, category: category)
    case .conversation: return nil
    }
  }
}
