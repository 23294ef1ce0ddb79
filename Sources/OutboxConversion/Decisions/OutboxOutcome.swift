package import OutboxCore
import OutboxFormat
import StoreModel

/// The keys of other outbox rows about the entity of a row.
///
/// Rows that name another user don't count.
package struct OutboxNeighbours: Hashable, Sendable {
  /// A later row that deletes the entity: an open row if possible, otherwise one that was sent.
  package var delete: Int64?

  /// The first of the earlier open rows that create the entity.
  package var create: Int64?

  /// The open row that sends the same as this one, and replaces it.
  package var twin: Int64?

  /// Whether an earlier open row creates or updates the entity.
  ///
  /// A row that is folded into a later one doesn't count.
  package var isPreceded = false
}

/// The outcome of a row of Lume's outbox, with `--rows deliverable`.
///
/// Every row has exactly one outcome.
package enum OutboxOutcome: Hashable, Sendable {
  /// The row is written in the form that the app sends.
  case delivered(DeliverableRow)

  /// The V7 app wrote the row, and it is carried unchanged except for repairs.
  case kept(KeptRow)

  /// The row isn't written; the quarantine has all its values.
  case quarantined(QuarantineReason)

  /// The row and the row with the key cancel each other.
  case cancelled(with: Int64)

  /// The row with the key sends the same.
  case folded(into: Int64)
}

/// The columns of a row in the form that the app sends; other columns are as documented.
///
/// Texts are made when they are asked for: a plan counts rows without them.
package struct DeliverableRow: Hashable, Sendable {
  private let event: LumeEvent

  /// The facts in the payload.
  private let facts: EntityFacts

  /// The entity; `nil` if the store doesn't have it.
  private let live: LiveEntity?
  private let carried: OutboxEventStatus
  package var isNewRecord: Bool

  init(
    _ event: LumeEvent, stating facts: EntityFacts, _ live: LiveEntity?,
    _ carried: OutboxEventStatus, isNewRecord: Bool
  ) {
    self.event = event
    self.facts = facts
    self.live = live
    self.carried = carried
    self.isNewRecord = isNewRecord
  }

  package var eventType: String { event.intent.subject.eventType.rawValue }

  /// The 16 bytes of the entity's id.
  package var entity: [UInt8] { event.entity }

  /// The 16 bytes of the owner's id; `nil` if neither the payload nor the entity names one.
  private var owner: [UInt8]? { event.user ?? live?.owner }

  /// A Boolean value indicating whether the payload or the entity names an owner.
  package var hasUser: Bool { owner != nil }

  /// The owner; `nil` if neither the payload nor the entity names one.
  package var user: String? { owner.map(uuidText) }
  package var status: String { carried.rawValue }
  package var metadata: String? { event.metadata(stating: facts, live) }
  package var priority: Int64 { event.intent.priority }
}

/// The changes to a row that the V7 app wrote.
package struct KeptRow: Hashable, Sendable {
  package let status: String

  /// The repaired values; `nil` if the row keeps its own value.
  package var user: String?
  package var isNewRecord: Bool?
  package var metadata: String?

  /// Whether a value is repaired.
  var isMended: Bool { user != nil || isNewRecord != nil || metadata != nil }
}

extension OutboxEventStatus {
  /// The status to write: the V7 app never resumes an event in processing, so it becomes pending.
  package var carried: OutboxEventStatus { self == .processing ? .pending : self }
}

extension OutboxOutcome {
  /// Decides the outcome of a row.
  ///
  /// - Parameters:
  ///   - event: The event in the row.
  ///   - status: The status of the row.
  ///   - live: The entity that the row is about; `nil` if the store doesn't have it.
  ///   - neighbours: The other rows about that entity.
  init(
    of event: LumeEvent, _ status: OutboxEventStatus, live: LiveEntity?,
    neighbours: OutboxNeighbours
  ) {
    if status.isOpen, let outcome = Self.withoutSending(event, live, neighbours) {
      self = outcome
      return
    }
    // The first of several rows gives the entity its id on the server. If another row were marked
    // as new, the server would create a second entity.
    let isRepeated = live?.isSynced == true || (status.isOpen && neighbours.isPreceded)
    switch event.form {
    case .payload(let facts):
      self = .delivered(
        DeliverableRow(
          event, stating: facts, live, status.carried,
          isNewRecord: event.intent.operation == .create && !isRepeated))
    case .written(let written):
      self = .kept(
        KeptRow(of: event, written, status, owner: live?.owner, isRepeated: isRepeated))
    }
  }

  /// Returns the outcome of an open row that isn't sent; `nil` if the row is sent.
  private static func withoutSending(
    _ event: LumeEvent, _ live: LiveEntity?, _ neighbours: OutboxNeighbours
  ) -> OutboxOutcome? {
    guard let live else {
      if event.intent.operation != .delete {
        return neighbours.delete.map { .cancelled(with: $0) }
          ?? .quarantined(event.isWritten ? .missingEntity : .onlyCopy)
      }
      // An entity that the server never had needs no delete.
      if event.needsNoDeleting, let create = neighbours.create { return .cancelled(with: create) }
      return neighbours.twin.map { .folded(into: $0) }
    }
    if event.intent.operation == .delete { return .quarantined(.supersededDelete) }
    if let user = event.user, let owner = live.owner, user != owner {
      return .quarantined(.otherOwner)
    }
    return neighbours.twin.map { .folded(into: $0) }
  }
}

extension LumeEvent {
  /// Whether the event deletes an entity that it knows no server id of.
  package var needsNoDeleting: Bool {
    intent.operation == .delete && intent.subject != .conversation && backendID == nil
  }
}

extension KeptRow {
  /// Creates the changes to a row that the V7 app wrote; in history, only a missing user changes.
  init(
    of event: LumeEvent, _ written: WrittenEvent, _ status: OutboxEventStatus, owner: [UInt8]?,
    isRepeated: Bool
  ) {
    self.status = status.carried.rawValue
    let isOpen = status.isOpen
    if isOpen || written.user.isEmpty, let user = (event.user ?? owner).map(uuidText),
      user != written.user
    {
      self.user = user
    }
    if isOpen, event.intent.operation == .create, isRepeated { isNewRecord = false }
    // The app wrote the word 'none' when it had no id, and would send the word as an id.
    if isOpen, event.needsNoDeleting, written.deletion?.lumeID != nil {
      metadata = try? OutboxMetadata.delete(backendID: nil).text
    }
  }
}

extension OutboxOutcome {
  /// The fate of a row that isn't written; `nil` if the row is written.
  package var fate: SetAsideRows.Fate? {
    switch self {
    case .delivered, .kept: nil
    case .quarantined(let reason): .quarantined(reason)
    case .cancelled(let key): .cancelled(with: key)
    case .folded(let key): .folded(into: key)
    }
  }
}
