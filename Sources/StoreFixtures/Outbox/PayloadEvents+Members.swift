import SQLite

/// Writes the members of each kind of payload, with the app's own coding keys.
extension PayloadEvents {
  func mood(
    _ shape: EventShape, row: FixtureEvent, into writer: inout PayloadWriter,
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

  func journal(
    row: FixtureEvent, into writer: inout PayloadWriter, _ random: inout RandomSource
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

  func phase1(
    _ shape: EventShape, into writer: inout PayloadWriter, _ random: inout RandomSource
  ) {
    let target = target("SDJournalEntry", isGone: shape == .journalDeletePhase1, &random)
    let word = shape.eventType.split(separator: ".").last.map(String.init)
    writer.add("action", word ?? "create")
    writer.add("entry_id", id: target.id)
    writer.add("user_id", id: target.owner)
  }

  func goal(
    row: FixtureEvent, into writer: inout PayloadWriter, _ random: inout RandomSource
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

  func deletion(
    of entity: String, into writer: inout PayloadWriter, _ random: inout RandomSource
  ) {
    let target = target(entity, isGone: true, &random)
    writer.add("local_id", id: target.id)
    if random.chance(60) { writer.add("backend_id", id: random.uuid()) }
  }

  func message(
    row: FixtureEvent, into writer: inout PayloadWriter, _ random: inout RandomSource
  ) {
    writer.add("conversation_id", id: target("SDChatConversation", isGone: false, &random).id)
    writer.add("message_id", id: target("SDChatMessage", isGone: false, &random).id)
    writer.add("content", utf8: Vocabulary.prose(2...8, &random))
    writer.add("role", "user")
    writer.add("timestamp", date: row.createdAt)
  }

  func account(
    _ shape: EventShape, row: FixtureEvent, into writer: inout PayloadWriter,
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
