/// Something about an outbox that one should look at.
package struct OutboxFinding: Hashable, Sendable {
  /// What is the matter.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    case unreadable
    case stuck
    case stale
    case exhausted
    case orphaned
    case deletesLiveEntity = "deletes-live-entity"
    case deletesNothing = "deletes-nothing"
    case unknownMetadata = "unknown-metadata"
    case duplicateID = "duplicate-id"
    case duplicateEvent = "duplicate-event"
    case missing
    case inconsistent

    /// What it means, in words.
    package var meaning: String {
      switch self {
      case .unreadable: "can't be read as an event, and stops the shipped apps' queues"
      case .stuck: "was left while it was processed; the apps never take it up again"
      case .stale: "has been pending for too long"
      case .exhausted: "failed, and has no attempt left"
      case .orphaned: "is about what isn't in the store"
      case .deletesLiveEntity: "deletes what is in the store"
      case .deletesNothing: "deletes, and names nothing that the server knows"
      case .unknownMetadata: "has metadata that the apps read nothing from"
      case .duplicateID: "has the id of another event"
      case .duplicateEvent: "is about the same as another event that is to be sent"
      case .missing: "isn't on the server, and no event says so"
      case .inconsistent: "counts as synced without an id of the server's, or has its own for one"
      }
    }

    /// A Boolean value indicating whether it keeps something from being delivered, or makes doubles.
    package var isProblem: Bool { self != .unknownMetadata && self != .deletesNothing }
  }

  /// What is the matter.
  package let kind: Kind

  /// The entity of the row.
  package let entity: String

  /// The row's key.
  package let key: Int64

  /// The type of the event, where it is known.
  package let eventType: OutboxEventType?
}

/// What was found, counted, with the first rows of each kind.
package struct OutboxFindings: Hashable, Sendable {
  /// The most rows that are named of each kind.
  package static let shownLimit = 10

  /// How many rows, by kind.
  package private(set) var counts: [OutboxFinding.Kind: Int64] = [:]

  /// The first rows, by kind.
  package private(set) var first: [OutboxFinding.Kind: [OutboxFinding]] = [:]

  /// The events among them, by type.
  package private(set) var countsByType: [OutboxFinding.Kind: [OutboxEventType: Int64]] = [:]

  /// A Boolean value indicating whether nothing keeps anything from being delivered.
  package var isHealthy: Bool { !counts.keys.contains(where: \.isProblem) }

  mutating func note(
    _ kind: OutboxFinding.Kind, _ entity: String, _ key: Int64, _ type: OutboxEventType?
  ) {
    counts[kind, default: 0] += 1
    if let type { countsByType[kind, default: [:]][type, default: 0] += 1 }
    guard first[kind, default: []].count < Self.shownLimit else { return }
    first[kind, default: []].append(
      OutboxFinding(kind: kind, entity: entity, key: key, eventType: type))
  }
}
