import OutboxFormat
import StoreModel

extension LumeEvent {
  /// The text of the metadata that the app needs for the event; `nil` if too little is known.
  ///
  /// Each fact is the live entity's if it can be read, else the payload's. The app sends a row
  /// without metadata all the same, and reads the entity then.
  ///
  /// - Parameters:
  ///   - stated: The facts in the payload.
  ///   - live: The entity; `nil` if the store doesn't have it.
  /// - Returns: The text; `nil` for an event without metadata.
  func metadata(stating stated: EntityFacts, _ live: LiveEntity?) -> String? {
    let metadata: OutboxMetadata? =
      switch (intent.subject, intent.operation) {
      case (.conversation, _): .delete(conversationID: uuidText(entity))
      case (_, .delete): .delete(backendID: backendID)
      case (let subject, _): OutboxMetadata(subject, live?.facts.completed(by: stated) ?? stated)
      }
    // Only numbers that aren't finite can't be written, and facts have none.
    return metadata.flatMap { try? $0.text }
  }
}
