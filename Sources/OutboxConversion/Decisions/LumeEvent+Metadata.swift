import OutboxCore
import OutboxFormat
import StoreModel

extension LumeEvent {
  /// Returns the metadata text that the app needs for the event; `nil` if too little is known.
  ///
  /// Each fact is the live entity's if it can be read, otherwise the payload's. The app also sends
  /// a row without metadata, and then reads the entity.
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
    // Writing fails only for a number that isn't finite, and all facts are finite.
    return metadata.flatMap { try? $0.text }
  }
}
