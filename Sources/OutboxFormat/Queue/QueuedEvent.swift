import StoreModel

/// A row of an outbox in FitIQCore's columns, as the shipped apps read it.
package struct QueuedEvent: Hashable, Sendable {
  /// The event type; `nil` if FitIQCore doesn't know it.
  package let eventType: OutboxEventType?

  /// The status; `nil` if FitIQCore doesn't know it.
  package let status: OutboxEventStatus?

  /// The 16 bytes of the entity's id.
  package let entityID: [UInt8]

  /// The user's id, as it is spelt.
  package let userID: String

  /// The attempts so far, and those after which FitIQ gives up.
  package let attempts: Int64
  package let maximumAttempts: Int64

  /// A Boolean value indicating whether the event counts its entity as new to the server.
  package let isNewRecord: Bool

  /// What the apps decode from the metadata.
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
  /// A Boolean value indicating whether the event failed as often as FitIQ tries.
  package var isExhausted: Bool { status == .failed && attempts >= maximumAttempts }

  /// Returns whether an app takes the row up; Lume tries failed ones for ever.
  package func isTakenUp(by app: OutboxApp) -> Bool {
    switch app {
    case .fitIQ: status == .pending || (status == .failed && !isExhausted)
    case .lume: status == .pending || status == .failed
    }
  }

  /// Returns what an app does with a row that it takes up.
  ///
  /// - Parameters:
  ///   - live: The entity that the row is about; `nil` if the store doesn't have it.
  ///   - app: The app whose store it is.
  /// - Returns: What it does when it comes to the row.
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
    // The profile's types are taken for done.
    guard eventType.entity != nil else { return .completed }
    if let deletion = metadata.deletion { return deletion.hasFitIQID ? .delete : .fails }
    // Progress is looked for among that of the signed-in profile.
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
  /// A Boolean value indicating whether FitIQ reads an id.
  var hasFitIQID: Bool { fitIQID?.isEmpty == false }

  /// A Boolean value indicating whether Lume reads a conversation's id.
  var namesConversation: Bool { conversationID.flatMap(uuidBytes) != nil }
}
