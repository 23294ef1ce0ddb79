import SQLite

/// The events of FitIQCore, which FitIQ writes from V3 on and Lume from V7 on.
struct MetadataEvents: Sendable {
  let world: World
  let plans: [String: EntityPlan]
  private let kinds: [Kind]

  /// One type of event: what it is about, how often it occurs among a hundred.
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

  init(world: World, plans: [String: EntityPlan]) {
    self.world = world
    self.plans = plans
    kinds = (world.app == "fitiq" ? Self.fitiq : Self.lume)
      .filter { kind in kind.entity.map { plans[$0] != nil } ?? true }
  }

  /// Fills in everything but id, date and state.
  func fill(_ row: inout OutboxRow, at index: Int, _ random: inout RandomSource) {
    guard let kind = draw(at: index, &random) else { return }
    let crowd = kind.entity.flatMap(world.crowd)
    let isDeletion = kind.eventType == "chatMessage" || index % 9 == 4 && kind.entity != nil
    let number = subject(of: crowd, isGone: isDeletion, &random)
    row.eventType = kind.eventType
    row.entityID = crowd.map { world.id($0, number) } ?? world.user(0)
    row.userID = uuidTextBytes(crowd.map { world.owner($0, number) } ?? world.user(0))
    row.attemptCount = row.delivery.attempts
    row.isNewRecord = !isDeletion && kind.eventType != "goal" && random.chance(70)
    row.priority = priority(of: kind.eventType, isDeletion: isDeletion)
    let subject = MetadataSubject(
      eventType: kind.eventType, id: row.entityID, createdAt: row.createdAt,
      plan: kind.entity.flatMap { plans[$0] }, index: number, world: world)
    row.metadata = isDeletion ? subject.deletion(&random) : subject.upsert(&random)
  }

  private func draw(at index: Int, _ random: inout RandomSource) -> Kind? {
    guard !kinds.isEmpty else { return nil }
    // Each type is there at least once in 200 rows.
    if index % 7 == 0 { return kinds[index / 7 % kinds.count] }
    var dice = random.below(kinds.reduce(0) { $0 + $1.weight })
    for kind in kinds {
      dice -= kind.weight
      if dice < 0 { return kind }
    }
    return kinds.last
  }

  private func subject(of crowd: Crowd?, isGone: Bool, _ random: inout RandomSource) -> Int {
    guard let crowd, crowd.count > 0 else { return 0 }
    let isLive = random.chance(isGone ? 10 : 94)
    return isLive ? random.below(crowd.count) : crowd.count + random.below(crowd.count / 20 + 2)
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
