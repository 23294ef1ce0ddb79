package import OutboxFormat
import StoreModel
import Migrations
import RowRewriting

/// The other rows of the outbox about the same entity, by their keys.
///
/// Only rows of nobody else count: one that names another user says nothing about this one.
package struct OutboxNeighbours: Hashable, Sendable {
  /// The row that deletes the entity after this one, whatever its status; an open one if there is one.
  package var delete: Int64?

  /// The first open row that creates the entity before this one.
  package var create: Int64?

  /// The open row that sends the same as this one, and for it.
  package var twin: Int64?

  /// A Boolean value indicating whether an open row before this one creates or updates it.
  ///
  /// One that is folded into a later doesn't count.
  package var isPreceded = false
}

/// What becomes of a row of Lume's outbox, in one that the V7 app delivers.
///
/// Every row is exactly one of these.
package enum OutboxOutcome: Hashable, Sendable {
  /// It is written in the form that the app sends.
  case delivered(DeliverableRow)

  /// The V7 app wrote the row, and it is carried as it is but for what is mended.
  case kept(KeptRow)

  /// It is kept out, whole, in a file.
  case quarantined(QuarantineReason)

  /// It and the row with the key take each other back.
  case cancelled(with: Int64)

  /// The row with the key sends the same.
  case folded(into: Int64)
}

/// The columns of a row in the form that the app sends; the others are as documented.
package struct DeliverableRow: Hashable, Sendable {
  package let eventType: String

  /// The 16 bytes of the entity's id.
  package let entity: [UInt8]

  /// The owner; none where neither payload nor entity names one.
  package let user: String?
  package let status: String
  package let metadata: String?
  package let priority: Int64
  package var isNewRecord: Bool
}

/// What is another than before in a row that the V7 app wrote.
package struct KeptRow: Hashable, Sendable {
  package let status: String

  /// What is mended; none where the row's own value stands.
  package var user: String?
  package var isNewRecord: Bool?
  package var metadata: String?

  /// A Boolean value indicating whether anything is mended.
  var isMended: Bool { user != nil || isNewRecord != nil || metadata != nil }
}

extension OutboxEventStatus {
  /// The status that the V7 app takes up: it never looks at an event that is being processed.
  package var carried: OutboxEventStatus { self == .processing ? .pending : self }
}

extension OutboxOutcome {
  /// Decides what becomes of a row.
  ///
  /// - Parameters:
  ///   - event: What the row says.
  ///   - status: Its status.
  ///   - live: The entity that it is about; none where the store doesn't have it.
  ///   - neighbours: The other rows about that entity.
  init(
    of event: LumeEvent, _ status: OutboxEventStatus, live: LiveEntity?,
    neighbours: OutboxNeighbours
  ) {
    if status.isOpen, let outcome = Self.withoutSending(event, live, neighbours) {
      self = outcome
      return
    }
    // The first of several rows gives the entity its id on the server; another would make a second.
    let isRepeated = live?.isSynced == true || (status.isOpen && neighbours.isPreceded)
    switch event.form {
    case .payload(let facts):
      self = .delivered(
        DeliverableRow(
          eventType: event.intent.subject.eventType.rawValue, entity: event.entity,
          user: (event.user ?? live?.owner).map(uuidText), status: status.carried.rawValue,
          metadata: event.metadata(stating: facts, live),
          priority: event.intent.priority,
          isNewRecord: event.intent.operation == .create && !isRepeated))
    case .written(let written):
      self = .kept(
        KeptRow(of: event, written, status, owner: live?.owner, isRepeated: isRepeated))
    }
  }

  /// What becomes of an open row that isn't sent: the live entity decides.
  private static func withoutSending(
    _ event: LumeEvent, _ live: LiveEntity?, _ neighbours: OutboxNeighbours
  ) -> OutboxOutcome? {
    guard let live else {
      if event.intent.operation != .delete {
        return neighbours.delete.map { .cancelled(with: $0) }
          ?? .quarantined(event.isWritten ? .missingEntity : .onlyCopy)
      }
      // What the server never had needs no deleting.
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
  /// A Boolean value indicating whether this deletes what the server never had, as far as it knows.
  package var needsNoDeleting: Bool {
    intent.operation == .delete && intent.subject != .conversation && backendID == nil
  }
}

extension KeptRow {
  /// The row that the V7 app wrote; history stays as it is.
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
    // The app wrote the word where it had no id, and would send it as one.
    if isOpen, event.needsNoDeleting, written.deletion?.lumeID != nil {
      metadata = try? OutboxMetadata.delete(backendID: nil).text
    }
  }
}
