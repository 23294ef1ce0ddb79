import OutboxFormat
import StoreModel
import Testing

@testable import OutboxConversion

/// Single rows of the table, decided by hand.
@Suite struct OutboxOutcomeTests {
  static let id = "0B6AF7F0-5C0B-4C53-9A52-9A0CDBB6E5D3"
  static let user = "6F9619FF-8B86-4D01-B42D-00CF4FC964FF"

  private func outcome(
    _ type: String, _ payload: String, status: String = "pending", live: LiveEntity? = nil,
    _ neighbours: OutboxNeighbours = OutboxNeighbours()
  ) -> OutboxOutcome {
    let bytes = Array(payload.utf8)
    switch OutboxReading(eventType: type, status: status, payload: bytes.span) {
    case .unsendable(let reason): return .quarantined(reason)
    case .event(let event, let status):
      return OutboxOutcome(of: event, status, live: live, neighbours: neighbours)
    }
  }

  private func row(_ outcome: OutboxOutcome) -> DeliverableRow? {
    if case .delivered(let row) = outcome { row } else { nil }
  }

  private static let unsynced = LiveEntity(
    isSynced: false, owner: uuidBytes(user), facts: EntityFacts(valence: 0.5, labels: ["calm"]))
  private static let synced = LiveEntity(isSynced: true)

  @Test func `a mood that the server doesn't have is new`() {
    let row = row(
      outcome("mood.created", #"{"id":"\#(Self.id)","valence":1}"#, live: Self.unsynced))
    #expect(row?.eventType == "moodEntry")
    #expect(row?.entity == uuidBytes(Self.id))
    #expect(row?.user == Self.user)
    #expect(row?.isNewRecord == true)
    #expect(row?.priority == 5)
    #expect(row?.metadata == #"{"type":"moodEntry","valence":0.5,"labels":["calm"]}"#)
  }

  @Test func `a mood that the server has isn't new`() {
    let payload = #"{"id":"\#(Self.id)"}"#
    #expect(row(outcome("mood.created", payload, live: Self.synced))?.isNewRecord == false)
    #expect(row(outcome("mood.updated", payload, live: Self.unsynced))?.isNewRecord == false)
  }

  @Test func `the second creation of an entity isn't new`() {
    let payload = #"{"id":"\#(Self.id)"}"#
    let preceded = OutboxNeighbours(create: 0, isPreceded: true)
    #expect(
      row(outcome("mood.created", payload, live: Self.unsynced, preceded))?.isNewRecord == false)
    let completed = outcome(
      "mood.created", payload, status: "completed", live: Self.unsynced, preceded)
    #expect(row(completed)?.isNewRecord == true)
  }

  @Test(arguments: ["local_id", "localId", "id"])
  func `a delete names the id on the server`(key: String) {
    let row = row(outcome("mood.deleted", #"{"\#(key)":"\#(Self.id)","backend_id":"b-1"}"#))
    #expect(row?.priority == 10)
    #expect(
      row?.metadata == #"{"type":"generic","data":{"operation":"delete","backendId":"b-1"}}"#)
  }

  @Test(arguments: [#","backend_id":"none""#, #","backendId":null"#, ""])
  func `a delete of an entity that the server never had names no id`(rest: String) {
    let row = row(outcome("journal.delete", #"{"entryId":"\#(Self.id)"\#(rest)}"#))
    #expect(row?.metadata == #"{"type":"generic","data":{"operation":"delete"}}"#)
  }

  @Test func `a conversation is deleted by its id, at the priority of everything else`() {
    for type in ["conversation.delete", "chat.conversation.deleted"] {
      let row = row(outcome(type, #"{"conversationId":"\#(Self.id.lowercased())"}"#))
      #expect(row?.eventType == "chatMessage")
      #expect(row?.priority == 5)
      #expect(
        row?.metadata
          == #"{"type":"generic","data":{"operation":"delete","conversationId":"\#(Self.id)"}}"#)
    }
  }

  @Test func `a creation and a deletion that the server never saw take each other back`() {
    let both = OutboxNeighbours(delete: 7, create: 8)
    #expect(outcome("goal.created", #"{"id":"\#(Self.id)"}"#, both) == .cancelled(with: 7))
    #expect(outcome("goal.deleted", #"{"id":"\#(Self.id)"}"#, both) == .cancelled(with: 8))
    let known = outcome("goal.deleted", #"{"id":"\#(Self.id)","backend_id":"b"}"#, both)
    #expect(row(known)?.priority == 10)
  }

  @Test func `the only copy of an entity goes to the quarantine`() {
    for type in ["mood.created", "journal.updated", "goal.status_updated"] {
      #expect(outcome(type, #"{"id":"\#(Self.id)"}"#) == .quarantined(.onlyCopy))
    }
  }

  @Test func `a delete of an entity in the store goes to the quarantine`() {
    let outcome = outcome("mood.deleted", #"{"id":"\#(Self.id)"}"#, live: Self.synced)
    #expect(outcome == .quarantined(.supersededDelete))
  }

  @Test func `updates of a goal fold into the last`() {
    let payload = #"{"id":"\#(Self.id)"}"#
    let last = OutboxNeighbours(twin: 9)
    #expect(outcome("goal.updated", payload, live: Self.synced, last) == .folded(into: 9))
    #expect(row(outcome("goal.updated", payload, live: Self.synced)) != nil)
  }

  @Test func `an event in processing becomes pending, and history stays history`() {
    let payload = #"{"id":"\#(Self.id)","title":"a b","category":"c"}"#
    let resumed = outcome("goal.created", payload, status: "processing", live: Self.synced)
    #expect(row(resumed)?.status == "pending")
    let history = row(outcome("goal.created", payload, status: "completed"))
    #expect(history?.status == "completed")
    #expect(history?.metadata == #"{"type":"goal","title":"a b","category":"c"}"#)
    #expect(outcome("goal.created", payload, status: "odd") == .quarantined(.unknownStatus))
  }

  @Test(arguments: [
    "", "[]", "{}", "no", #"{"id":1}"#, #"{"id":"x"}"#, #"{"id":"\#(id)","id":"\#(id)"}"#,
    #"{"id":"\#(id)","backend_id":5}"#, #"{"id":"\#(id)""#,
  ])
  func `nothing is guessed from a payload`(payload: String) {
    #expect(outcome("mood.deleted", payload) == .quarantined(.undecodablePayload))
  }

  @Test func `event types without a request go to the quarantine`() {
    let payload = #"{"id":"\#(Self.id)"}"#
    for type in ["auth.register", "auth.login", "auth.refresh", "auth.logout"] {
      #expect(outcome(type, payload) == .quarantined(.account))
    }
    #expect(outcome("chat.message.send", payload) == .quarantined(.chatMessage))
    for type in ["mood_created", "user.profile_updated", "moodEntry", ""] {
      #expect(outcome(type, payload) == .quarantined(.unknownType))
    }
  }

  @Test func `the payload's user is written as the app writes ids`() {
    let payload = #"{"id":"\#(Self.id)","userId":"\#(Self.user.lowercased())"}"#
    #expect(row(outcome("mood.updated", payload, live: Self.synced))?.user == Self.user)
    let word = #"{"id":"\#(Self.id)","user_id":"somebody"}"#
    #expect(row(outcome("mood.updated", word, live: Self.unsynced))?.user == Self.user)
    #expect(row(outcome("mood.updated", word, live: Self.synced))?.user == nil)
  }

  @Test func `an event of another user than the entity has isn't sent`() {
    let other = "0C6AF7F0-5C0B-4C53-9A52-9A0CDBB6E5D3"
    let payload = #"{"id":"\#(Self.id)","user_id":"\#(other)"}"#
    for type in ["mood.created", "goal.updated"] {
      #expect(outcome(type, payload, live: Self.unsynced) == .quarantined(.otherOwner))
    }
    let twin = OutboxNeighbours(twin: 9)
    #expect(
      outcome("goal.updated", payload, live: Self.unsynced, twin) == .quarantined(.otherOwner))
    let history = outcome("mood.created", payload, status: "completed", live: Self.unsynced)
    #expect(row(history)?.user == other)
  }

  @Test func `deletes of one entity fold into one`() {
    let twin = OutboxNeighbours(create: 8, twin: 9)
    let known = outcome("mood.deleted", #"{"local_id":"\#(Self.id)","backend_id":"b"}"#, twin)
    #expect(known == .folded(into: 9))
    #expect(outcome("mood.deleted", #"{"local_id":"\#(Self.id)"}"#, twin) == .cancelled(with: 8))
    let conversation = #"{"conversation_id":"\#(Self.id)"}"#
    #expect(outcome("conversation.delete", conversation, twin) == .folded(into: 9))
  }

  @Test func `keys may have escapes`() {
    let escaped = #"{"\u0069d":"\#(Self.id)","user\u005fid":"\#(Self.user)"}"#
    let row = row(outcome("mood.updated", escaped, live: Self.synced))
    #expect(row?.entity == uuidBytes(Self.id))
    #expect(row?.user == Self.user)
    let twice = #"{"id":"\#(Self.id)","\u0069d":"\#(Self.id)"}"#
    #expect(outcome("mood.updated", twice, live: Self.synced) == .quarantined(.undecodablePayload))
    let bytes = Array(#"{"pass\u0077ord":"x"}"#.utf8)
    let span = bytes.span
    let isSecret = span.namesSecret
    #expect(isSecret)
  }

  @Test func `metadata is built from known values only`() {
    let payload = #"{"id":"\#(Self.id)","valence":-1,"labels":["sad"]}"#
    let history = row(outcome("mood.created", payload, status: "completed"))
    #expect(history?.metadata == #"{"type":"moodEntry","valence":-1.0,"labels":["sad"]}"#)
    // An entity whose values can't be read adds nothing.
    #expect(row(outcome("mood.created", payload, live: Self.synced))?.metadata == history?.metadata)
    let word = #"{"id":"\#(Self.id)","mood":"happy"}"#
    #expect(row(outcome("mood.created", word, live: Self.synced))?.metadata == nil)
    let unlabelled = #"{"id":"\#(Self.id)","valence":1}"#
    #expect(row(outcome("mood.created", unlabelled, live: Self.synced))?.metadata == nil)
  }
}
