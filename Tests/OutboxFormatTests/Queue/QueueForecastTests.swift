import OutboxCore
import OutboxFormat
import Testing

/// What the shipped apps do with rows of their queues.
@Suite struct QueueForecastTests {
  private func lume(
    _ type: String, _ metadata: String = "", isNew: Bool = false, live: LiveEntity? = nil
  ) -> QueueForecast.Step {
    QueuedEvent(
      eventType: OutboxEventType(rawValue: type), status: .pending, isNewRecord: isNew,
      metadata: DecodedMetadata(Array(metadata.utf8))
    ).step(live, in: .lume)
  }

  private static let synced = LiveEntity(isSynced: true)
  private static let unsynced = LiveEntity(isSynced: false)

  private static func delete(_ rest: String) -> String {
    #"{"type":"generic","data":{"operation":"delete"\#(rest)}}"#
  }

  @Test func `Lume stops at what it can't read, and completes what it doesn't handle`() {
    #expect(lume("mood.created") == .stops)
    for type in ["sleepSession", "workout", "chatMessage"] { #expect(lume(type) == .completed) }
  }

  @Test func `Lume asks for what the live entity says`() {
    for type in ["moodEntry", "journalEntry", "goal"] {
      #expect(lume(type, isNew: true, live: Self.unsynced) == .create)
      #expect(lume(type, isNew: true, live: Self.synced) == .create)
      #expect(lume(type, live: Self.unsynced) == .create)
      #expect(lume(type, live: Self.synced) == .update)
      #expect(lume(type) == .fails)
    }
  }

  @Test func `Lume sees a delete by its metadata alone`() {
    #expect(lume("goal", Self.delete(#","backendId":"b""#)) == .delete)
    #expect(lume("goal", Self.delete("")) == .completed)
    #expect(lume("goal", Self.delete(#","backendID":"b""#)) == .completed)
    // A value that is no text makes the whole metadata unreadable.
    #expect(lume("goal", Self.delete(#","backendId":5"#)) == .fails)
    #expect(lume("goal", #"{"generic":{"_0":{"operation":"delete"}}}"#) == .fails)
    let id = "0B6AF7F0-5C0B-4C53-9A52-9A0CDBB6E5D3"
    #expect(lume("chatMessage", Self.delete(#","conversationId":"\#(id)""#)) == .delete)
    #expect(lume("chatMessage", Self.delete(#","conversationId":"x""#)) == .fails)
  }

  @Test(arguments: [
    ("", DecodedMetadata.missing), ("x", .undecodable),
    (#"{"type":"steps","quantity":5}"#, .undecodable),
    (#"{"type":"running","duration":5}"#, .undecodable),
    (#"{"type":"sleepSession","duration":5}"#, .facts),
    (#"{"type":"generic","data":{"name":"a"}}"#, .facts),
    (#"{"type":"generic","data":{"operation":"delete","n":1}}"#, .undecodable),
  ])
  func `the apps decode FitIQCore's metadata and nothing older`(
    text: String, expected: DecodedMetadata
  ) {
    #expect(DecodedMetadata(Array(text.utf8)) == expected)
  }

  @Test func `FitIQ sees a delete by its own spelling of the id`() {
    func step(_ rest: String) -> QueueForecast.Step {
      QueuedEvent(
        eventType: .mealLog, status: .pending,
        metadata: DecodedMetadata(Array(Self.delete(rest).utf8))
      ).step(nil, in: .fitIQ)
    }
    #expect(step(#","backendID":"b""#) == .delete)
    #expect(step(#","backendId":"b""#) == .fails)
    #expect(step(#","backendID":"""#) == .fails)
    #expect(step("") == .fails)
  }

  @Test func `FitIQ finds progress by its profile`() {
    func step(_ type: String, _ live: LiveEntity?) -> QueueForecast.Step {
      QueuedEvent(eventType: OutboxEventType(rawValue: type), status: .pending)
        .step(live, in: .fitIQ)
    }
    let lonely = LiveEntity(isSynced: true, hasProfile: false)
    #expect(step("progressEntry", lonely) == .fails)
    #expect(step("sleepSession", lonely) == .update)
    #expect(step("mealLog", nil) == .fails)
    #expect(step("moodEntry", lonely) == .fails)
    #expect(step("profileMetadata", nil) == .completed)
    #expect(step("meal.logged", nil) == .stops)
  }
}
