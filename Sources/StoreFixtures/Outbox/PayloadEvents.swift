import SQLite

/// The events of Lume up to V6: an event type, and everything else in a payload.
struct PayloadEvents: Sendable {
  let world: World
  let plans: [String: EntityPlan]

  /// Fills in the event type, the payload and the number of retries.
  func fill(_ row: inout OutboxRow, at index: Int, _ random: inout RandomSource) {
    let shape = EventShape.draw(at: index, &random)
    row.eventType = shape.eventType
    row.retryCount = row.delivery.attempts
    row.payload = payload(shape, row: row, &random)
  }

  private func payload(
    _ shape: EventShape, row: OutboxRow, _ random: inout RandomSource
  ) -> [UInt8]? {
    switch random.below(1_000) {
    case 0..<10: return world.options.hasLostPayloads ? nil : []
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
  /// A row that an event is about, or one that is no more.
  struct Target {
    let crowd: Crowd?
    let index: Int
    let id: [UInt8]
    let owner: [UInt8]

    /// A Boolean value indicating whether the row is in the store.
    let isLive: Bool
  }

  /// Draws the row that an event is about, or rather one that is no more.
  ///
  /// A few ids of such rows are used again and again, so that an entity's creation and its deletion
  /// meet in the queue.
  func target(_ entity: String, isGone: Bool, _ random: inout RandomSource) -> Target {
    guard let crowd = world.crowd(entity) else {
      return Target(crowd: nil, index: 0, id: random.uuid(), owner: world.user(0), isLive: false)
    }
    let isLive = crowd.count > 0 && random.chance(isGone ? 10 : 90)
    let gone = crowd.count + random.below(crowd.count / 20 + 2)
    let index = isLive ? random.below(crowd.count) : gone
    return Target(
      crowd: crowd, index: index, id: world.id(crowd, index), owner: world.owner(crowd, index),
      isLive: isLive)
  }

  /// Returns what the live row says, or would say if it were there.
  func value(_ attribute: String, of target: Target) -> Value {
    guard let crowd = target.crowd, let plan = plans[crowd.name] else { return .null }
    return plan.value(attribute, at: target.index, in: world)
  }
}
