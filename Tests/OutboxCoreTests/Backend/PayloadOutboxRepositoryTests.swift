import Foundation
import OutboxTesting
import Testing

@testable import OutboxCore

/// Lume's four functions, over the outbox of today.
@Suite struct PayloadOutboxRepositoryTests {
  private let list = ListRepository()
  private var lume: PayloadOutboxRepository { PayloadOutboxRepository(list, userID: "U") }

  private func payload(_ text: String) -> Data { Data(text.utf8) }

  @Test(arguments: [
    ("mood.created", "id", OutboxEventType.moodEntry, true),
    ("mood.updated", "id", .moodEntry, false), ("journal.create", "entry_id", .journalEntry, true),
    ("journal.updated", "entryId", .journalEntry, false), ("goal.created", "id", .goal, true),
    ("goal.progress_updated", "id", .goal, false),
  ])
  func `a payload's entity becomes the event's`(
    type: String, key: String, eventType: OutboxEventType, isNew: Bool
  ) async throws {
    let entity = UUID()
    try await lume.createEvent(
      type: type,
      payload: payload(#"{"\#(key)":"\#(entity.uuidString.lowercased())","note":"n"}"#))
    let event = try #require(try await lume.pendingEvents().first)
    #expect(event.eventType == eventType && event.entityID == entity && event.userID == "U")
    #expect(event.isNewRecord == isNew && event.priority == 5 && event.metadata == nil)
  }

  @Test func `deletes have the metadata that Lume's V7 writes, and come first`() async throws {
    let (entity, conversation) = (UUID(), UUID())
    try await lume.createEvent(
      type: "chat.conversation.deleted",
      payload: payload(#"{"conversation_id":"\#(conversation)"}"#))
    try await lume.createEvent(
      type: "mood.deleted", payload: payload(#"{"local_id":"\#(entity)","backend_id":"b"}"#))
    let events = try await lume.pendingEvents()
    #expect(events.map(\.eventType) == [.moodEntry, .chatMessage])
    #expect(events.map(\.entityID) == [entity, conversation])
    #expect(events[0].metadata == .delete(backendID: "b"))
    #expect(events[1].metadata?.deletion?.conversationID == conversation.uuidString)
  }

  @Test func `events are marked, and failed ones come again until their attempts are used up`()
    async throws
  {
    for type in ["mood.created", "goal.created"] {
      try await lume.createEvent(type: type, payload: payload(#"{"id":"\#(UUID())"}"#))
    }
    let first = try await lume.pendingEvents()
    try await lume.markCompleted(first[0])
    for left in (0..<5).reversed() {
      try await lume.markFailed(first[1])
      #expect(try await lume.pendingEvents().count == (left > 0 ? 1 : 0))
    }
    #expect(await list.events[1].attemptCount == 5)
  }

  @Test(arguments: ["weight.created", "mood", "", "chat.message.send", "auth.login"])
  func `a type that Lume doesn't send is refused`(type: String) async {
    await #expect(throws: PayloadError.unknownType(type)) {
      try await lume.createEvent(type: type, payload: payload(#"{"id":"\#(UUID())"}"#))
    }
  }

  @Test(arguments: ["", "[]", "{}", #"{"id":7}"#, #"{"id":"x"}"#, "\u{0}\u{1}"])
  func `a payload without an entity is refused, and isn't quoted`(text: String) async {
    await #expect(throws: PayloadError.noEntity(type: "mood.created")) {
      try await lume.createEvent(type: "mood.created", payload: payload(text))
    }
    #expect(await list.events.isEmpty)
  }
}
