#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The facts that an event states about its entity.
public enum OutboxMetadata: Hashable, Sendable {
  case progressEntry(metricType: String, value: Double, unit: String)
  case moodEntry(valence: Double, labels: [String])
  case journalEntry(wordCount: Int, linkedMoodID: UUID?)

  /// A night's sleep; the duration is in seconds.
  case sleepSession(duration: TimeInterval, quality: Double?)

  case mealLog(calories: Double, macros: [String: Double])

  /// A workout; the duration is in seconds.
  case workout(type: String, duration: TimeInterval)

  case goal(title: String, category: String)

  /// Any other metadata, including that of deletes; see ``deletion``.
  case generic([String: String])
}

extension OutboxMetadata {
  /// The ids that a delete names.
  ///
  /// The apps recognize a delete by its metadata alone.
  public struct Deletion: Hashable, Sendable {
    /// The id on the server under `backendId`, Lume's spelling.
    package let lumeID: String?

    /// The id on the server under `backendID`, FitIQ's spelling.
    package let fitIQID: String?

    /// The id of the conversation that a chat delete names.
    public let conversationID: String?

    /// The entity's id on the server; `nil` if the entity was never uploaded.
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

  /// The ids of the entity to delete; `nil` if the event isn't a delete.
  public var deletion: Deletion? {
    guard case .generic(let data) = self else { return nil }
    return Deletion(data)
  }

  /// Returns the metadata of a delete as Lume writes it.
  ///
  /// - Parameter backendID: The entity's id on the server; `nil` if the entity was never uploaded.
  /// - Returns: The metadata.
  package static func delete(backendID: String?) -> OutboxMetadata {
    var data = ["operation": "delete"]
    data["backendId"] = backendID
    return .generic(data)
  }

  /// Returns the metadata of a conversation's delete as Lume writes it.
  package static func delete(conversationID: String) -> OutboxMetadata {
    .generic(["operation": "delete", "conversationId": conversationID])
  }
}

extension OutboxMetadata: ExpressibleByDictionaryLiteral {
  /// Creates generic metadata; values that aren't texts are written as `description` writes them.
  ///
  /// Of two equal keys, the last one counts.
  public init(dictionaryLiteral elements: (String, any CustomStringConvertible)...) {
    self = .generic(
      Dictionary(elements.map { ($0, $1.description) }, uniquingKeysWith: { _, last in last }))
  }
}
