package import OutboxFormat

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
      case .unreadable: "not readable as an event; the shipped apps' queues stop there"
      case .stuck: "interrupted while being processed; the apps never resume it"
      case .stale: "pending for too long"
      case .exhausted: "failed, without attempts left"
      case .orphaned: "the entity isn't in the store"
      case .deletesLiveEntity: "deletes an entity that is in the store"
      case .deletesNothing: "a delete without an id that the server knows"
      case .unknownMetadata: "the apps can't read the metadata"
      case .duplicateID: "another event has the same id"
      case .duplicateEvent: "another open event has the same type and entity"
      case .missing: "an entity that isn't on the server, without an event that uploads it"
      case .inconsistent:
        "an entity marked as synced, without an id from the server or with its own id instead"
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
