import JSONText
package import OutboxCore
package import OutboxFormat
import StoreModel

/// An event of Lume's outbox, written by any version.
package struct LumeEvent: Hashable, Sendable {
  package let intent: OutboxIntent

  /// The 16 bytes of the entity's id.
  package let entity: [UInt8]

  /// The 16 bytes of the user's id; `nil` if the event names no user, or not by a UUID.
  package let user: [UInt8]?

  /// The id on the server of the entity to delete.
  package let backendID: String?
  package let form: Form

  /// The form in which an event is written.
  package enum Form: Hashable, Sendable {
    /// The form of the versions up to V6, with everything in the payload.
    case payload(EntityFacts)

    /// The form that the V7 app writes.
    case written(WrittenEvent)
  }

  /// Whether the V7 app wrote the event.
  package var isWritten: Bool { if case .written = form { true } else { false } }

  package init(_ intent: OutboxIntent, _ payload: OutboxPayload) {
    self.init(
      intent, entity: payload.entity, user: payload.user, backendID: payload.backendID,
      payload.facts)
  }

  /// Creates an event of the versions up to V6.
  package init(
    _ intent: OutboxIntent, entity: [UInt8], user: [UInt8]?, backendID: String?,
    _ facts: EntityFacts
  ) {
    self.intent = intent
    self.entity = entity
    self.user = user
    self.backendID = backendID
    form = .payload(facts)
  }

  init(_ written: WrittenEvent) {
    let operation: OutboxIntent.Operation =
      written.deletion != nil || written.subject == .conversation
      ? .delete : written.isNewRecord ? .create : .update
    intent = OutboxIntent(written.subject, operation)
    entity = written.entity
    user = uuidBytes(written.user)
    backendID = OutboxMetadata.Deletion.serverID(written.deletion?.lumeID)
    form = .written(written)
  }
}

/// An event in the columns that the V7 app writes.
package struct WrittenEvent: Hashable, Sendable {
  package let subject: OutboxSubject

  /// The 16 bytes of the entity's id.
  package let entity: [UInt8]

  /// The user's id, as the row spells it.
  package let user: String
  package let isNewRecord: Bool

  /// The ids in the metadata of a delete; `nil` for other events.
  package let deletion: OutboxMetadata.Deletion?
}

/// The content of an outbox row, read without the rest of the store.
package enum OutboxReading: Hashable, Sendable {
  case event(LumeEvent, OutboxEventStatus)

  /// The app couldn't send the row, whatever else is in the store.
  case unsendable(QuarantineReason)
}

extension OutboxReading {
  /// Reads a row of the versions up to V6.
  package init(
    eventType: String, status: String, payload: Span<UInt8>, keys: PayloadKeys? = nil,
    hasFacts: Bool = true
  ) {
    guard let intent = EventKind.kind(named: eventType)?.intent else {
      self = .unsendable(QuarantineReason(eventType: eventType))
      return
    }
    guard let status = OutboxEventStatus(rawValue: status) else {
      self = .unsendable(.unknownStatus)
      return
    }
    let keys = keys ?? PayloadKeys(payload)
    guard let payload = OutboxPayload(payload, keys, for: intent, hasFacts: hasFacts) else {
      self = .unsendable(.undecodablePayload)
      return
    }
    self = .event(LumeEvent(intent, payload), status)
  }

  /// Reads a row that the V7 app wrote itself.
  ///
  /// - Parameters:
  ///   - event: The event in the row's columns; `nil` if `entityID` names no entity.
  ///   - status: The row's status.
  ///   - metadata: The row's metadata; empty if it is missing.
  init(_ event: WrittenEvent?, status: String, metadata: Span<UInt8>) {
    guard let status = OutboxEventStatus(rawValue: status) else {
      self = .unsendable(.unknownStatus)
      return
    }
    guard let event, metadata.isEmpty || isJSONText(metadata) else {
      self = .unsendable(.undecodablePayload)
      return
    }
    if metadata.namesSecret {
      self = .unsendable(.account)
      return
    }
    if status.isOpen, event.subject == .conversation {
      guard let deletion = event.deletion else {
        self = .unsendable(.chatMessage)
        return
      }
      guard deletion.conversationID.flatMap(uuidBytes) != nil else {
        self = .unsendable(.undecodablePayload)
        return
      }
    }
    self = .event(LumeEvent(event), status)
  }
}
