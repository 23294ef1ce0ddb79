import StoreModel

/// An event of Lume up to V6, as far as its outcome depends on it.
struct OutboxRow: Hashable, Sendable {
  /// The row's primary key.
  let key: Int64
  let eventType: String
  let status: String

  /// What the payload says; none where it can't be decoded.
  let payload: OutboxPayload?
}

/// The row of an entity that an event is about, as it is in the store.
struct LiveEntity: Hashable, Sendable {
  /// A Boolean value indicating whether the server has given it an id.
  let isSynced: Bool

  /// The 16 bytes of its owner's id.
  let owner: [UInt8]?
  let facts: EntityFacts
}

/// The other rows of the outbox about the same entity, by their keys.
struct OutboxNeighbours: Hashable, Sendable {
  /// The row that deletes the entity, whatever its status; the first open one if there is one.
  var delete: Int64?

  /// The first open row that creates it.
  var create: Int64?

  /// The last open row that updates it.
  var lastUpdate: Int64?

  /// A Boolean value indicating whether an open row before this one, and not folded into a later,
  /// creates or updates it.
  var isPreceded = false
}

/// What becomes of an event of Lume up to V6 in an outbox that the V7 app delivers.
///
/// Every row is exactly one of these.
enum OutboxOutcome: Hashable, Sendable {
  /// It is written in the form that the app sends.
  case delivered(DeliverableRow)

  /// The V7 app wrote the row, and it is carried as it is.
  case kept(status: String)

  /// It is kept out, whole, in a file.
  case quarantined(QuarantineReason)

  /// It and the row with the key take each other back.
  case cancelled(with: Int64)

  /// The row with the key sends the same.
  case folded(into: Int64)
}

/// The columns of a row in the form that the app sends; the others are as documented.
struct DeliverableRow: Hashable, Sendable {
  let eventType: String

  /// The 16 bytes of the entity's id.
  let entity: [UInt8]

  /// The owner; none where neither payload nor entity names one.
  let user: String?
  let status: String
  let metadata: String?
  let priority: Int64
  var isNewRecord: Bool
}

/// The statuses that both versions know.
enum OutboxStatus: String, CaseIterable {
  case pending, processing, completed, failed

  /// A Boolean value indicating whether the event is still to be sent.
  var isOpen: Bool { self != .completed }

  /// The status that the V7 app takes up: it never looks at an event that is being processed.
  var delivered: OutboxStatus { self == .processing ? .pending : self }
}

extension OutboxOutcome {
  /// Decides what becomes of a row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - live: The entity that it is about; none where the store doesn't have it.
  ///   - neighbours: The other rows about that entity.
  init(of row: OutboxRow, live: LiveEntity?, neighbours: OutboxNeighbours) {
    guard let intent = OutboxIntent(eventType: row.eventType) else {
      self = .quarantined(QuarantineReason(eventType: row.eventType))
      return
    }
    guard let status = OutboxStatus(rawValue: row.status) else {
      self = .quarantined(.unknownStatus)
      return
    }
    guard let payload = row.payload else {
      self = .quarantined(.undecodablePayload)
      return
    }
    if status.isOpen,
      let outcome = Self.withoutSending(row.key, intent, payload, live, neighbours)
    {
      self = outcome
      return
    }
    // The first of several rows gives the entity its id on the server; another would make a second.
    let isRepeated = live?.isSynced == true || (status.isOpen && neighbours.isPreceded)
    self = .delivered(
      DeliverableRow(
        eventType: intent.subject.eventType, entity: payload.entity,
        user: payload.user.flatMap(uuidBytes).map(uuidText) ?? live?.owner.map(uuidText),
        status: status.delivered.rawValue,
        metadata: OutboxMetadata(intent, payload, live).text, priority: intent.priority,
        isNewRecord: intent.deed == .create && !isRepeated))
  }

  /// What becomes of an open row that isn't sent: the live entity decides.
  private static func withoutSending(
    _ key: Int64, _ intent: OutboxIntent, _ payload: OutboxPayload, _ live: LiveEntity?,
    _ neighbours: OutboxNeighbours
  ) -> OutboxOutcome? {
    switch (intent.deed, live) {
    case (.delete, .some): return .quarantined(.supersededDelete)
    case (.delete, nil):
      // What the server never had needs no deleting.
      guard intent.subject != .conversation, payload.backendID == nil else { return nil }
      return neighbours.create.map { .cancelled(with: $0) }
    case (_, nil):
      return neighbours.delete.map { .cancelled(with: $0) } ?? .quarantined(.onlyCopy)
    case (.update, .some) where intent.subject == .goal:
      guard let last = neighbours.lastUpdate, last != key else { return nil }
      return .folded(into: last)
    case (_, .some): return nil
    }
  }
}
