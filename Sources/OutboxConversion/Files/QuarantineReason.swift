/// The reason why a row is in quarantine.
package enum QuarantineReason: String, CaseIterable, Hashable, Sendable {
  /// The app has no request for the event type, and one such row in the queue stops all others.
  case unknownType = "unknown-type"

  /// The app doesn't know the status.
  case unknownStatus = "unknown-status"

  /// The event is about an account; some hold a password.
  case account

  /// The event sends a chat message, which the app would complete without sending.
  case chatMessage = "chat-message"

  /// The payload isn't a JSON object, or names no entity.
  case undecodablePayload = "undecodable-payload"

  /// The entity isn't in the store and nothing deletes it: the payload is the only copy of it.
  case onlyCopy = "only-copy"

  /// The event deletes an entity that is in the store.
  case supersededDelete = "superseded-delete"

  /// The event names an owner other than the entity's, so that the wrong user would send it.
  case otherOwner = "other-owner"

  /// The V7 app wrote the event, its entity isn't in the store, and nothing deletes it.
  case missingEntity = "missing-entity"

  /// Creates the reason for an event type that has no intent.
  package init(eventType: String) {
    if eventType.hasPrefix("auth.") {
      self = .account
    } else if eventType == "chat.message.send" {
      self = .chatMessage
    } else {
      self = .unknownType
    }
  }

  /// The reason to display.
  package var meaning: String {
    switch self {
    case .unknownType: "the app has no request for this event type"
    case .unknownStatus: "the app doesn't know the status"
    case .account: "about an account, possibly with a password"
    case .chatMessage: "a chat message, which the app would complete without sending"
    case .undecodablePayload: "the payload doesn't name an entity"
    case .onlyCopy: "the entity is gone, and the payload is its only copy"
    case .supersededDelete: "deletes an entity that is in the store"
    case .otherOwner: "names an owner other than the entity's"
    case .missingEntity: "about an entity that isn't in the store"
    }
  }
}
