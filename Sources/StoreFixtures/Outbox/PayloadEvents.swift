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
    case 0..<10: return nil
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

  private func mood(
    _ shape: EventShape, row: OutboxRow, into writer: inout PayloadWriter,
    _ random: inout RandomSource
  ) {
    let target = target("SDMoodEntry", isGone: false, &random)
    writer.add("id", id: target.id)
    let hasUser = shape != .moodCreatedOldest
    if hasUser { writer.add("user_id", id: target.owner) }
    if shape == .moodCreated || shape == .moodUpdated {
      writer.add("valence", value("valence", of: target).double ?? 0)
      writer.add("labels", words: random.pick(Vocabulary.wordLists))
      writer.add("associations", words: random.pick(Vocabulary.wordLists))
      if let notes = value("notes", of: target).bytes { writer.add("notes", utf8: notes) }
      writer.add("source", "manual")
      if random.chance(20) { writer.add("source_id", id: random.uuid()) }
    } else {
      writer.add("mood", random.pick(["happy", "sad", "calm", "anxious"]))
      if random.chance(40) { writer.add("intensity", Double(random.integer(1...10))) }
      writer.add("note", utf8: Vocabulary.prose(1...4, &random))
    }
    writer.add("date", date: row.createdAt - 60)
    if hasUser {
      writer.add("created_at", date: row.createdAt)
      writer.add("updated_at", date: row.createdAt + 0.5)
    } else {
      writer.add("timestamp", date: row.createdAt)
    }
  }

  private func journal(
    row: OutboxRow, into writer: inout PayloadWriter, _ random: inout RandomSource
  ) {
    let target = target("SDJournalEntry", isGone: false, &random)
    writer.add("id", id: target.id)
    writer.add("user_id", id: target.owner)
    if let title = value("title", of: target).bytes { writer.add("title", utf8: title) }
    writer.add("content", utf8: value("content", of: target).bytes ?? [])
    writer.add("tags", words: random.pick(Vocabulary.wordLists))
    writer.add("entry_type", utf8: value("entryType", of: target).bytes ?? [])
    writer.add("is_favorite", value("isFavorite", of: target).int64 == 1)
    if let mood = value("linkedMoodId", of: target).bytes { writer.add("linked_mood_id", id: mood) }
    writer.add("date", date: row.createdAt - 60)
    writer.add("created_at", date: row.createdAt)
    writer.add("updated_at", date: row.createdAt + 0.5)
  }

  private func phase1(
    _ shape: EventShape, into writer: inout PayloadWriter, _ random: inout RandomSource
  ) {
    let target = target("SDJournalEntry", isGone: shape == .journalDeletePhase1, &random)
    let word = shape.eventType.split(separator: ".").last.map(String.init)
    writer.add("action", word ?? "create")
    writer.add("entry_id", id: target.id)
    writer.add("user_id", id: target.owner)
  }

  private func goal(
    row: OutboxRow, into writer: inout PayloadWriter, _ random: inout RandomSource
  ) {
    let target = target("SDGoal", isGone: false, &random)
    writer.add("id", id: target.id)
    writer.add("user_id", id: target.owner)
    writer.add("title", utf8: value("title", of: target).bytes ?? [])
    writer.add("description", utf8: value("goalDescription", of: target).bytes ?? [])
    writer.add("created_at", date: row.createdAt)
    writer.add("updated_at", date: row.createdAt + 0.5)
    if let date = value("targetDate", of: target).double { writer.add("target_date", date: date) }
    writer.add("progress", value("progress", of: target).double ?? 0)
    writer.add("status", utf8: value("status", of: target).bytes ?? [])
    writer.add("category", utf8: value("category", of: target).bytes ?? [])
    if random.chance(30) {
      writer.add("target_value", Double(random.below(200)))
      writer.add("target_unit", "km/week")
      writer.add("current_value", random.number(0...100))
    }
    if let id = value("backendId", of: target).bytes { writer.add("backend_id", utf8: id) }
  }

  private func deletion(
    of entity: String, into writer: inout PayloadWriter, _ random: inout RandomSource
  ) {
    let target = target(entity, isGone: true, &random)
    writer.add("local_id", id: target.id)
    if random.chance(60) { writer.add("backend_id", id: random.uuid()) }
  }

  private func message(
    row: OutboxRow, into writer: inout PayloadWriter, _ random: inout RandomSource
  ) {
    writer.add("conversation_id", id: target("SDChatConversation", isGone: false, &random).id)
    writer.add("message_id", id: target("SDChatMessage", isGone: false, &random).id)
    writer.add("content", utf8: Vocabulary.prose(2...8, &random))
    writer.add("role", "user")
    writer.add("timestamp", date: row.createdAt)
  }

  private func account(
    _ shape: EventShape, row: OutboxRow, into writer: inout PayloadWriter,
    _ random: inout RandomSource
  ) {
    writer.add("email", "ada+lume@example.org")
    if shape == .authRegister {
      writer.add("password", "fixture-password-\(random.below(1_000))/äß")
      writer.add("name", random.pick(Vocabulary.names))
      writer.add("date_of_birth", date: Double(random.integer(-15_000...1_000)) * 86_400)
    }
    writer.add("timestamp", date: row.createdAt)
  }
}
