import StoreModel

/// Creates events as FitIQCore writes them: FitIQ since V3 and Lume since V7.
struct MetadataEvents: Sendable {
  let fixture: FixturePlan
  let plans: [String: EntityPlan]
  private let kinds: [Kind]

  /// An event type with its entity and its relative frequency.
  private struct Kind: Sendable {
    let eventType: String
    let entity: String?
    let weight: Int
  }

  private static let lume = [
    Kind(eventType: "moodEntry", entity: "SDMoodEntry", weight: 55),
    Kind(eventType: "journalEntry", entity: "SDJournalEntry", weight: 28),
    Kind(eventType: "goal", entity: "SDGoal", weight: 12),
    Kind(eventType: "chatMessage", entity: "SDChatConversation", weight: 5),
  ]

  private static let fitiq = [
    Kind(eventType: "progressEntry", entity: "SDProgressEntry", weight: 55),
    Kind(eventType: "physicalAttribute", entity: "SDPhysicalAttribute", weight: 8),
    Kind(eventType: "activitySnapshot", entity: "SDActivitySnapshot", weight: 5),
    Kind(eventType: "profileMetadata", entity: nil, weight: 2),
    Kind(eventType: "profilePhysical", entity: nil, weight: 2),
    Kind(eventType: "sleepSession", entity: "SDSleepSession", weight: 8),
    Kind(eventType: "mealLog", entity: "SDMeal", weight: 12),
    Kind(eventType: "workout", entity: "SDWorkout", weight: 5),
    Kind(eventType: "workoutTemplate", entity: "SDWorkoutTemplate", weight: 3),
  ]

  init(fixture: FixturePlan, plans: [String: EntityPlan]) {
    self.fixture = fixture
    self.plans = plans
    kinds = (fixture.app == "fitiq" ? Self.fitiq : Self.lume)
      .filter { kind in kind.entity.map { plans[$0] != nil } ?? true }
  }

  /// Sets everything but ID, date and delivery state.
  func fill(_ row: inout FixtureEvent, at index: Int, _ random: inout RandomSource) {
    guard let kind = draw(at: index, &random) else { return }
    let rowSet = kind.entity.flatMap(fixture.rowSet)
    let isDeletion = kind.eventType == "chatMessage" || index % 9 == 4 && kind.entity != nil
    let number = subject(of: rowSet, isGone: isDeletion, &random)
    row.eventType = kind.eventType
    row.entityID = rowSet.map { fixture.id($0, number) } ?? fixture.user(0)
    row.userID = uuidTextBytes(rowSet.map { fixture.owner($0, number) } ?? fixture.user(0))
    row.attemptCount = row.delivery.attempts
    row.isNewRecord = !isDeletion && kind.eventType != "goal" && random.chance(70)
    row.priority = priority(of: kind.eventType, isDeletion: isDeletion)
    let subject = MetadataSubject(
      eventType: kind.eventType, id: row.entityID, createdAt: row.createdAt,
      plan: kind.entity.flatMap { plans[$0] }, index: number, fixture: fixture)
    row.metadata = isDeletion ? subject.deletion(&random) : subject.upsert(&random)
  }

  private func draw(at index: Int, _ random: inout RandomSource) -> Kind? {
    guard !kinds.isEmpty else { return nil }
    // Each type occurs at least once in 200 rows.
    if index % 7 == 0 { return kinds[index / 7 % kinds.count] }
    var dice = random.below(kinds.reduce(0) { $0 + $1.weight })
    for kind in kinds {
      dice -= kind.weight
      if dice < 0 { return kind }
    }
    return kinds.last
  }

  private func subject(of rowSet: RowSet?, isGone: Bool, _ random: inout RandomSource) -> Int {
    guard let rowSet, rowSet.count > 0 else { return 0 }
    let isLive = random.chance(isGone ? 10 : 94)
    return isLive ? random.below(rowSet.count) : rowSet.count + random.below(rowSet.count / 20 + 2)
  }

  private func priority(of eventType: String, isDeletion: Bool) -> Int {
    switch eventType {
    case "moodEntry", "journalEntry": isDeletion ? 10 : 5
    case "mealLog": isDeletion ? 5 : 7
    case "progressEntry", "physicalAttribute", "activitySnapshot": 0
    default: 5
    }
  }
}
