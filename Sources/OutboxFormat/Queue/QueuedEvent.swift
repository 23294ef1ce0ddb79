package import OutboxCore
import StoreModel

/// A row of an outbox in FitIQCore's columns, as the shipped apps read it.
package struct QueuedEvent: Hashable, Sendable {
  /// The event type; `nil` if FitIQCore doesn't know it.
  package let eventType: OutboxEventType?

  /// The status; `nil` if FitIQCore doesn't know it.
  package let status: OutboxEventStatus?

  /// The 16 bytes of the entity's id.
  package let entityID: [UInt8]

  /// The user's id, as the row spells it.
  package let userID: String

  /// The number of attempts so far, and the number after which FitIQ gives up.
  package let attempts: Int64
  package let maximumAttempts: Int64

  /// Whether the event marks its entity as new to the server.
  package let isNewRecord: Bool

  /// The metadata as the apps decode it.
  package let metadata: DecodedMetadata

  /// Creates an event.
  package init(
    eventType: OutboxEventType?, status: OutboxEventStatus?, entityID: [UInt8] = [],
    userID: String = "", attempts: Int64 = 0, maximumAttempts: Int64 = 5,
    isNewRecord: Bool = false, metadata: DecodedMetadata = .missing
  ) {
    self.eventType = eventType
    self.status = status
    self.entityID = entityID
    self.userID = userID
    self.attempts = attempts
    self.maximumAttempts = maximumAttempts
    self.isNewRecord = isNewRecord
    self.metadata = metadata
  }
}

extension QueuedEvent {
  /// Whether the event failed and FitIQ has given it up.
  package var isExhausted: Bool { status == .failed && attempts >= maximumAttempts }

  /// Returns whether an app picks up the row; Lume retries failed rows forever.
  package func isTakenUp(by app: OutboxApp) -> Bool {
    switch app {
    case .fitIQ: status == .pending || (status == .failed && !isExhausted)
    case .lume: status == .pending || status == .failed
    }
  }

  /// Returns what an app does with a row that it picks up.
  ///
  /// - Parameters:
  ///   - live: The entity that the row is about; `nil` if the store doesn't have it.
  ///   - app: The app whose store it is.
  /// - Returns: What the app does when it reaches the row.
  package func step(_ live: LiveEntity?, in app: OutboxApp) -> QueueForecast.Step {
    guard let eventType else { return .stops }
    switch app {
    case .fitIQ: return fitIQStep(eventType, live)
    case .lume: return lumeStep(eventType, live)
    }
  }

  private func fitIQStep(
    _ eventType: OutboxEventType, _ live: LiveEntity?
  ) -> QueueForecast.Step {
    guard eventType.app == .fitIQ else { return .fails }
    // The app completes the profile's types without sending them.
    guard eventType.entity != nil else { return .completed }
    if let deletion = metadata.deletion { return deletion.hasFitIQID ? .delete : .fails }
    // The app searches for progress only among the signed-in profile's.
    guard let live, eventType != .progressEntry || live.hasProfile else { return .fails }
    return isNewRecord || !live.isSynced ? .create : .update
  }

  private func lumeStep(
    _ eventType: OutboxEventType, _ live: LiveEntity?
  ) -> QueueForecast.Step {
    guard let subject = OutboxSubject(eventType) else { return .completed }
    if let deletion = metadata.deletion {
      guard subject == .conversation else { return deletion.lumeID == nil ? .completed : .delete }
      return deletion.namesConversation ? .delete : .fails
    }
    guard subject != .conversation else { return .completed }
    guard let live else { return .fails }
    return isNewRecord || !live.isSynced ? .create : .update
  }
}

extension OutboxMetadata.Deletion {
  /// Whether the delete has an id that FitIQ reads.
  var hasFitIQID: Bool { fitIQID?.isEmpty == false }

  /// Whether the delete has a conversation's id that Lume reads.
  var namesConversation: Bool { conversationID.flatMap(uuidBytes) != nil }
}
