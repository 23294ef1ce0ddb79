#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What an event tells of its entity.
package enum OutboxMetadata: Hashable, Sendable {
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
  package struct Deletion: Hashable, Sendable {
    /// The entity's id on the server; none where it never came there.
    package let backendID: String?

    /// The conversation, of a delete in a chat.
    package let conversationID: String?
  }

  /// What is to be deleted; nil where the event isn't a delete.
  ///
  /// Lume spells the key `backendId`, FitIQ `backendID`. Lume wrote the word `none` where it had
  /// no id; that is no id.
  package var deletion: Deletion? {
    guard case .generic(let data) = self, data["operation"] == "delete" else { return nil }
    let id = data["backendId"] ?? data["backendID"]
    return Deletion(
      backendID: id.flatMap { $0.isEmpty || $0 == "none" ? nil : $0 },
      conversationID: data["conversationId"])
  }
}
