import Foundation
import OutboxCore
import Testing

@Suite struct DomainTests {
  private let now = Date(timeIntervalSinceReferenceDate: 800_000_000)

  private func event(
    _ status: OutboxEventStatus = .pending, attempts: Int = 0, maximum: Int = 5,
    age: TimeInterval = 0
  ) -> OutboxEvent {
    OutboxEvent(
      eventType: .moodEntry, entityID: UUID(), userID: "U", status: status,
      createdAt: now.addingTimeInterval(-age), attemptCount: attempts, maxAttempts: maximum)
  }

  @Test func `there are 13 types and 4 statuses, with the stores' names`() {
    #expect(
      OutboxEventType.allCases.map(\.rawValue) == [
        "progressEntry", "physicalAttribute", "activitySnapshot", "profileMetadata",
        "profilePhysical", "sleepSession", "mealLog", "workout", "workoutTemplate", "moodEntry",
        "journalEntry", "goal", "chatMessage",
      ])
    #expect(OutboxEventType.profilePhysical.displayName == "Physical Profile")
    #expect(
      OutboxEventStatus.allCases.map { "\($0.rawValue) \($0.displayName) \($0.emoji)" } == [
        "pending Pending ⏳", "processing Processing 🔄", "completed Completed ✅",
        "failed Failed ❌",
      ])
  }

  @Test func `a new event is pending, untried and of no priority`() {
    let event = OutboxEvent(eventType: .goal, entityID: UUID(), userID: "U")
    #expect(event.status == .pending)
    #expect((event.attemptCount, event.maxAttempts, event.priority) == (0, 5, 0))
    #expect(event.isNewRecord && event.metadata == nil && event.lastAttemptAt == nil)
  }

  @Test(arguments: [
    (OutboxEventStatus.pending, 9, false, true), (.processing, 0, false, false),
    (.completed, 0, false, false), (.failed, 4, true, true), (.failed, 5, false, false),
  ])
  func `an event is sent while pending, and while failed with attempts left`(
    status: OutboxEventStatus, attempts: Int, canRetry: Bool, shouldProcess: Bool
  ) {
    let event = event(status, attempts: attempts)
    #expect(event.canRetry == canRetry)
    #expect(event.shouldProcess == shouldProcess)
  }

  @Test func `only a pending event gets stale, after more than the threshold`() {
    #expect(!event(age: 300).isStale(at: now))
    #expect(event(age: 300.001).isStale(at: now))
    #expect(!event(.failed, age: 9_000).isStale(at: now))
    #expect(!event(age: 3_600).isStale(at: now, threshold: 3_600))
  }

  @Test(arguments: [(0, 1.0), (1, 5), (2, 30), (3, 120), (4, 600), (7, 600), (-1, 1)])
  func `the next delay is that of the attempts so far`(attempts: Int, delay: TimeInterval) {
    #expect(event(.failed, attempts: attempts, maximum: 10).nextRetryDelay() == delay)
    #expect(event(.pending, attempts: attempts, maximum: 10).nextRetryDelay() == nil)
    #expect(event(.failed, attempts: 10, maximum: 10).nextRetryDelay() == nil)
    #expect(event(.failed).nextRetryDelay(retryDelays: []) == nil)
  }

  @Test func `an event changes its status, attempts and dates`() {
    var event = event()
    event.markAsProcessing(at: now)
    #expect((event.status, event.attemptCount, event.lastAttemptAt) == (.processing, 1, now))
    event.markAsFailed(error: "no", at: now)
    #expect((event.status, event.attemptCount, event.errorMessage) == (.failed, 1, "no"))
    event.resetForRetry()
    #expect((event.status, event.attemptCount, event.errorMessage) == (.pending, 1, nil))
    #expect(event.lastAttemptAt == now)
    event.markAsCompleted(at: now)
    #expect((event.status, event.completedAt) == (.completed, now))
    event.resetForRetry()
    #expect(event.status == .completed)
  }

  @Test func `statistics have the success rate and recognize issues`() {
    func statistics(_ pending: Int, _ completed: Int, _ failed: Int, stale: Int = 0)
      -> OutboxStatistics
    {
      OutboxStatistics(
        totalEvents: pending + completed + failed, pendingCount: pending, processingCount: 0,
        completedCount: completed, failedCount: failed, staleCount: stale)
    }
    #expect(statistics(0, 0, 0).successRate == 100)
    #expect(statistics(1, 3, 0).successRate == 75)
    #expect(!statistics(20, 0, 0).hasIssues)
    #expect(statistics(21, 0, 0).hasIssues)
    #expect(statistics(0, 9, 1).hasIssues)
    #expect(statistics(1, 0, 0, stale: 1).hasIssues)
    #expect(
      statistics(1, 2, 3).statusSummary
        == "Total: 6 | Pending: 1 | Processing: 0 | Completed: 2 | Failed: 3 | Stale: 0")
  }

  @Test func `an event and its statistics are coded under the names of their properties`() throws {
    let event = OutboxEvent(
      eventType: .goal, entityID: UUID(), userID: "U", createdAt: now,
      metadata: .goal(title: "t", category: "general"))
    let data = try JSONEncoder().encode(event)
    #expect(try JSONDecoder().decode(OutboxEvent.self, from: data) == event)
    let object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect((object["metadata"] as? [String: String])?["type"] == "goal")
    #expect(object["entityID"] as? String == event.entityID.uuidString)
  }
}
