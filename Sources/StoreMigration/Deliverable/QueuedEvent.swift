import JSONText
import StoreModel
import Migrations
import RowRewriting

/// A row of V7's outbox, as the app reads it.
struct QueuedEvent: Hashable, Sendable {
  let eventType: String
  let status: String
  let entityID: [UInt8]
  let userID: String
  let isNewRecord: Bool

  /// What the metadata says of a delete; none of anything else.
  let delete: DeleteMetadata?
}

/// The metadata by which the app recognises a delete.
struct DeleteMetadata: Hashable, Sendable {
  let backendID: String?
  let conversationID: String?

  /// Reads a metadata text; none where the app wouldn't see a delete.
  ///
  /// The app decodes strictly: `data` holds texts and nothing else, or the whole is nothing to it.
  init?(_ text: [UInt8]) {
    guard let object = try? JSONNode(parsing: text, maximumByteCount: 1 << 20).object,
      (try? object.optional("type")?.string) == "generic",
      let data = try? object.optional("data")?.object,
      data.members.allSatisfy({ (try? $0.node.string) != nil }),
      (try? data.optional("operation")?.string) == "delete"
    else { return nil }
    backendID = try? data.optional("backendId")?.string
    conversationID = try? data.optional("conversationId")?.string
  }
}

extension QueuedEvent {
  /// The event types that FitIQCore knows; any other keeps the app from reading its queue.
  static let knownTypes: Set<String> = [
    "progressEntry", "physicalAttribute", "activitySnapshot", "profileMetadata",
    "profilePhysical", "sleepSession", "mealLog", "workout", "workoutTemplate", "moodEntry",
    "journalEntry", "goal", "chatMessage",
  ]

  /// A Boolean value indicating whether the app takes the row up.
  var isTakenUp: Bool { status == "pending" || status == "failed" }

  /// What the shipped app does with a row that it takes up.
  ///
  /// - Parameter live: The entity that the row is about; none where the store doesn't have it.
  /// - Returns: What it does when it comes to the row.
  func step(_ live: LiveEntity?) -> QueueForecast.Step {
    guard Self.knownTypes.contains(eventType) else { return .stops }
    guard let subject = OutboxSubject(eventType: eventType) else { return .completed }
    if let delete {
      guard subject == .conversation else { return delete.backendID == nil ? .completed : .delete }
      return delete.conversationID.flatMap(uuidBytes) == nil ? .fails : .delete
    }
    if subject == .conversation { return .completed }
    guard let live else { return .fails }
    return isNewRecord || !live.isSynced ? .create : .update
  }
}
