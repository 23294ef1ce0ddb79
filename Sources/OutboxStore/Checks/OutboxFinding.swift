public import OutboxCore

/// A finding of the check of an outbox.
public struct OutboxFinding: Hashable, Sendable {
  /// The kind of a finding.
  ///
  /// A `QueueProblem` says why one app wouldn't deliver a row that it takes up. A kind also applies
  /// to rows that no app takes up, and a row can have several.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
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

    /// The meaning to display.
    public var meaning: String {
      switch self {
      case .unreadable:
        "not readable as an event; the shipped apps stop processing their queue at this row"
      case .stuck: "interrupted while being processed; the apps never resume it"
      case .stale: "pending for longer than the app allows (FitIQ: 5 minutes, Lume: 1 hour)"
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

    /// Whether it prevents a delivery or causes duplicates.
    public var isProblem: Bool { self != .unknownMetadata && self != .deletesNothing }
  }

  /// The kind of the finding.
  public let kind: Kind

  /// The entity of the row.
  public let entity: String

  /// The row's key.
  public let key: Int64

  /// The type of the event, if it is known.
  public let eventType: OutboxEventType?
}

/// The findings of a check: their counts, and the first rows of each kind.
public struct OutboxFindings: Hashable, Sendable {
  /// The maximum number of rows named per kind.
  public static let shownLimit = 10

  /// The number of rows by kind.
  public private(set) var counts: [OutboxFinding.Kind: Int64] = [:]

  /// The first rows, by kind.
  public private(set) var first: [OutboxFinding.Kind: [OutboxFinding]] = [:]

  /// The number of rows by kind and event type, if the type is known.
  public private(set) var countsByType: [OutboxFinding.Kind: [OutboxEventType: Int64]] = [:]

  /// Whether no finding is a problem.
  public var isHealthy: Bool { !counts.keys.contains(where: \.isProblem) }

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
