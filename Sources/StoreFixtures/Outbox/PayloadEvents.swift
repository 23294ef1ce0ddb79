import SQLite
import StoreModel

/// Creates events of Lume before V7: an event type and a payload.
struct PayloadEvents: Sendable {
  let fixture: FixturePlan
  let plans: [String: EntityPlan]

  /// Sets the event type, the payload and the number of retries.
  func fill(_ row: inout FixtureEvent, at index: Int, _ random: inout RandomSource) {
    let shape = EventShape.draw(at: index, &random)
    row.eventType = shape.eventType
    row.retryCount = row.delivery.attempts
    row.payload = payload(shape, row: row, &random)
  }

  private func payload(
    _ shape: EventShape, row: FixtureEvent, _ random: inout RandomSource
  ) -> [UInt8]? {
    switch random.below(1_000) {
    case 0..<10: return fixture.options.hasLostPayloads ? nil : []
    case 10..<30: return []
    case 30..<60: return notJSON(&random)
    default: break
    }
    var writer = PayloadWriter(style(of: shape, &random))
    switch shape {
    case .moodCreated, .moodUpdated, .moodCreatedWithWord, .moodCreatedOldest, .underscored:
      mood(shape, row: row, into: &writer, &random)
    case .journalCreated, .journalUpdated: journal(row: row, into: &writer, &random)
    case .journalCreatePhase1, .journalUpdatePhase1, .journalDeletePhase1:
      phase1(shape, into: &writer, &random)
    case .goalCreated, .goalUpdated, .goalProgressUpdated, .goalStatusUpdated:
      goal(row: row, into: &writer, &random)
    case .moodDeleted: deletion(of: "SDMoodEntry", into: &writer, &random)
    case .journalDeleted: deletion(of: "SDJournalEntry", into: &writer, &random)
    case .goalDeleted: deletion(of: "SDGoal", into: &writer, &random)
    case .moodDeletedByID:
      writer.add("id", id: target("SDMoodEntry", isGone: true, &random).id)
    case .conversationDelete, .chatConversationDeleted:
      writer.add("conversation_id", id: target("SDChatConversation", isGone: true, &random).id)
    case .chatMessageSend: message(row: row, into: &writer, &random)
    case .authRegister, .authLogin, .authRefresh, .authLogout:
      account(shape, row: row, into: &writer, &random)
    case .profileUpdated, .unknown:
      writer.add("id", id: random.uuid())
      writer.add("fields", words: ["name", "a/b"])
    }
    return writer.text
  }

  private func style(of shape: EventShape, _ random: inout RandomSource) -> PayloadWriter.Style {
    let spacing: PayloadWriter.Spacing =
      switch random.below(100) {
      case 0..<20: .indented
      case 20..<30: .loose
      default: .none
      }
    let isOld = random.chance(25)
    return switch shape {
    case .moodCreatedOldest, .authRegister, .authLogin, .journalCreatePhase1, .journalUpdatePhase1,
      .journalDeletePhase1:
      PayloadWriter.Style(
        spacing: spacing, isCamelCase: true, hasNumericDates: true, isASCII: false,
        firstMember: random.below(8))
    default:
      PayloadWriter.Style(
        spacing: spacing, isCamelCase: isOld && random.chance(60), hasNumericDates: isOld,
        isASCII: random.chance(3), firstMember: random.below(12))
    }
  }

  private func notJSON(_ random: inout RandomSource) -> [UInt8] {
    switch random.below(6) {
    case 0: [0xff, 0xfe, 0x00, 0x80] + random.uuid()
    case 1: random.pick(Vocabulary.archivedLists).archive
    case 2: Array("queued for later / not JSON".utf8)
    case 3: Array("\"a text alone\"".utf8)
    case 4: Array("{\"id\":\"".utf8) + uuidTextBytes(random.uuid())
    default: [0xef, 0xbb, 0xbf] + Array("{\"id\":1}".utf8)
    }
  }
}

extension PayloadEvents {
  /// The row that an event is about; it may be deleted.
  struct Target {
    let rowSet: RowSet?
    let index: Int
    let id: [UInt8]
    let owner: [UInt8]

    /// Whether the row is in the store.
    let isLive: Bool
  }

  /// Draws the row that an event is about; `isGone` prefers deleted rows.
  ///
  /// Only a few IDs of deleted rows are used, so that the queue has creations and deletions of the
  /// same entity.
  func target(_ entity: String, isGone: Bool, _ random: inout RandomSource) -> Target {
    guard let rowSet = fixture.rowSet(entity) else {
      return Target(rowSet: nil, index: 0, id: random.uuid(), owner: fixture.user(0), isLive: false)
    }
    let isLive = rowSet.count > 0 && random.chance(isGone ? 10 : 90)
    let gone = rowSet.count + random.below(rowSet.count / 20 + 2)
    let index = isLive ? random.below(rowSet.count) : gone
    return Target(
      rowSet: rowSet, index: index, id: fixture.id(rowSet, index),
      owner: fixture.owner(rowSet, index),
      isLive: isLive)
  }

  /// Returns the value of an attribute; for a deleted row, the value it would have.
  func value(_ attribute: String, of target: Target) -> Value {
    guard let rowSet = target.rowSet, let plan = plans[rowSet.name] else { return .null }
    return plan.value(attribute, at: target.index, in: fixture)
  }
}
