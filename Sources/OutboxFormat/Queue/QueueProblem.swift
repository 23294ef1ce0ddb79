package import OutboxCore
import StoreModel

/// A problem of a row in a queue.
package enum QueueProblem: Hashable, Sendable {
  /// The row was left in the status `processing`.
  case processing

  /// FitIQCore doesn't know the row's status or its event type.
  case unknownStatus
  case unknownType

  /// The app never sends the row's event type, or the type is another app's.
  case unsentType
  case foreignType

  /// The row is about a chat, and isn't a delete.
  case unsentMessage

  /// The row deletes an entity that is in the store.
  case deletesLiveEntity

  /// The row deletes without an id, by the id `none`, or without a conversation's UUID.
  case deletesByNoID
  case deletesByNone
  case deletesNoConversation

  /// The row's entity isn't in the store, or isn't linked to a profile.
  case missingEntity
  case unlinkedEntity

  /// The row marks an entity as new that has an id on the server.
  case knownToServer

  /// The row names a user other than the entity's owner.
  case otherOwner

  /// The row's metadata isn't JSON, or names a secret.
  case metadataNotJSON
  case metadataNamesSecret
}

extension QueueProblem {
  /// The check that the problem fails.
  var check: QueueForecast.Check {
    switch self {
    case .processing, .unknownStatus, .unknownType, .unsentType, .foreignType, .unsentMessage:
      .admission
    case .deletesLiveEntity, .deletesByNoID, .deletesByNone, .deletesNoConversation: .deletes
    case .missingEntity, .unlinkedEntity: .entities
    case .knownToServer: .newRecords
    case .otherOwner: .owners
    case .metadataNotJSON, .metadataNamesSecret: .metadata
    }
  }

  /// Returns the message about a row in an app's queue, as a predicate.
  func predicate(in app: OutboxApp) -> String {
    switch self {
    case .processing: "is being processed, and the app never resumes it"
    case .unknownStatus: "has a status that the app doesn't know"
    case .unknownType: "has an event type that the app doesn't know, and stops the queue"
    case .unsentType:
      switch app {
      case .fitIQ: "has an event type that the app removes without sending"
      case .lume: "has an event type that the app completes without sending"
      }
    case .foreignType: "has another app's event type, and fails"
    case .unsentMessage: "isn't a delete, and the app completes it without sending"
    case .deletesLiveEntity: "deletes an entity that is in the store"
    case .deletesByNoID: "deletes without an id"
    case .deletesByNone: "deletes by the id 'none'"
    case .deletesNoConversation: "doesn't name the conversation to delete"
    case .missingEntity: "is about an entity that isn't in the store"
    case .unlinkedEntity: "is about an entity without a profile"
    case .knownToServer: "is marked as new, but the server already has the entity"
    case .otherOwner: "names an owner other than the entity's"
    case .metadataNotJSON: "has metadata that isn't JSON"
    case .metadataNamesSecret: "has a password or a token in its metadata"
    }
  }
}

extension QueuedEvent {
  /// Returns the problems that prevent an app from delivering an open row correctly.
  ///
  /// - Parameters:
  ///   - live: The entity that the row is about; `nil` if the store doesn't have it.
  ///   - app: The app whose store it is.
  /// - Returns: The problems; empty for a row that FitIQ has given up.
  package func problems(_ live: LiveEntity?, in app: OutboxApp) -> [QueueProblem] {
    guard isTakenUp(by: app) else {
      if status == .processing { return [.processing] }
      return isExhausted ? [] : [.unknownStatus]
    }
    guard let eventType else { return [.unknownType] }
    switch app {
    case .fitIQ: return fitIQProblems(eventType, live)
    case .lume: return lumeProblems(eventType, live)
    }
  }

  private func fitIQProblems(
    _ eventType: OutboxEventType, _ live: LiveEntity?
  ) -> [QueueProblem] {
    guard eventType.app == .fitIQ else { return [.foreignType] }
    guard eventType.entity != nil else { return [.unsentType] }
    if let deletion = metadata.deletion {
      if !deletion.hasFitIQID { return [.deletesByNoID] }
    } else {
      guard let live else { return [.missingEntity] }
      if eventType == .progressEntry, !live.hasProfile { return [.unlinkedEntity] }
    }
    return isNewRecord && live?.isSynced == true ? [.knownToServer] : []
  }

  private func lumeProblems(
    _ eventType: OutboxEventType, _ live: LiveEntity?
  ) -> [QueueProblem] {
    guard let subject = OutboxSubject(eventType) else { return [.unsentType] }
    if let deletion = metadata.deletion {
      if live != nil { return [.deletesLiveEntity] }
      if subject == .conversation, !deletion.namesConversation { return [.deletesNoConversation] }
      return deletion.lumeID == "none" ? [.deletesByNone] : []
    }
    if subject == .conversation { return [.unsentMessage] }
    guard let live else { return [.missingEntity] }
    var problems: [QueueProblem] = []
    if isNewRecord, live.isSynced { problems.append(.knownToServer) }
    if let owner = live.owner, uuidText(owner) != userID { problems.append(.otherOwner) }
    return problems
  }
}
