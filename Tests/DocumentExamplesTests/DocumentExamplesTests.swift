import Foundation
import OutboxCore
import OutboxStore
import Testing

/// The documents' examples compile with another import, and do what the documents say.
///
/// This target sees what an app sees: public declarations only, and Swift 5's rules.
@Suite struct DocumentExamplesTests {
  /// A list of entries, and the server that gets them.
  private struct Progress: ProgressRepositoryProtocol, RemoteHealthDataSyncPort {
    let entries: [ProgressEntry]
    let synced: AsyncStream<ProgressEntry>
    private let continuation: AsyncStream<ProgressEntry>.Continuation

    init(_ entries: [ProgressEntry]) {
      self.entries = entries
      (synced, continuation) = AsyncStream.makeStream()
    }

    func fetchByID(_ id: UUID) async throws -> ProgressEntry? { entries.first { $0.id == id } }
    func syncProgressEntry(_ entry: ProgressEntry) async throws { continuation.yield(entry) }
  }

  private actor Moods: MoodBackendServiceProtocol, TokenStorageProtocol {
    private(set) var requests: [String] = []

    func getToken() -> AccessToken? { AccessToken(accessToken: "token") }
    func createMood(_ payload: MoodCreatedPayload, accessToken: String) {
      requests.append("create \(payload.valence) \(payload.labels) \(accessToken)")
    }
    func updateMood(_ payload: MoodUpdatedPayload, accessToken: String) {
      requests.append("update \(payload.valence) \(payload.labels) \(accessToken)")
    }
  }

  @Test func `FitIQ's wrapper sends the entry of an event, whichever of its tasks runs first`()
    async throws
  {
    let user = UUID()
    let entry = ProgressEntry(id: UUID(), quantity: 70)
    let repository = SwiftDataOutboxRepository(modelContext: ModelContext())
    let event = try await repository.createEvent(
      eventType: .progressEntry, entityID: entry.id, userID: user.uuidString, isNewRecord: true,
      metadata: .progressEntry(metricType: "weight", value: 70, unit: "kg"), priority: 0)
    #expect(event.metadata == .progressEntry(metricType: "weight", value: 70, unit: "kg"))
    let progress = Progress([entry])
    let processor = FitIQOutboxProcessor(
      repository: repository, progressRepository: progress, remoteDataSync: progress)
    processor.startProcessing(forUserID: user)
    #expect(await progress.synced.first { _ in true } == entry)
    processor.triggerImmediateProcessing()
    processor.stopProcessing()
  }

  @Test func `Lume's handler reads the metadata that its call has written`() async throws {
    let repository = SwiftDataOutboxRepository(modelContext: ModelContext())
    try await trackMood(
      id: UUID(), valence: 0.5, labels: ["calm"], currentUserID: "U", outboxRepository: repository)
    let moods = Moods()
    let handler = MoodEntryOutboxHandler(moodBackendService: moods, tokenStorage: moods)
    let processor = OutboxProcessorService(repository: repository)
    await processor.registerHandler(handler)
    await processor.processAll(forUserID: "U", waiting: 0)
    #expect(await moods.requests == ["create 0.5 [\"calm\"] token"])
    let statistics = try await repository.getStatistics(forUserID: "U")
    #expect(statistics.completedCount == 1 && statistics.successRate == 100)
    #expect(!statistics.hasIssues && statistics.statusSummary.hasPrefix("Total: 1 | Pending: 0"))
  }

  @Test func `what a handler throws is in the event, and the event can be retried`() async throws {
    let repository = SwiftDataOutboxRepository(modelContext: ModelContext())
    let event = try await repository.createEvent(
      eventType: .progressEntry, entityID: UUID(), userID: "U", isNewRecord: true,
      metadata: nil, priority: 0)
    let progress = Progress([])
    let processor = OutboxProcessorService(
      repository: repository, configuration: .init(retryDelays: [1, 5, 30, 120, 600]))
    await processor.registerHandler(
      ProgressEntryOutboxHandler(progressRepository: progress, remoteDataSync: progress))
    await processor.processAll(forUserID: "U", waiting: 0)
    let failed = try #require(try await repository.fetchEvent(byID: event.id))
    #expect(failed.errorMessage == "Entity not found: \(event.entityID)")
    #expect(failed.status == .failed && failed.canRetry && failed.shouldProcess)
    #expect(failed.nextRetryDelay() == 5 && !failed.isStale)
    #expect(failed.eventType.displayName == "Progress Entry" && failed.status.emoji == "❌")
  }

  @Test func `an event has the values of the documents where an app gives none`() throws {
    let event = OutboxEvent(eventType: .goal, entityID: UUID(), userID: "U")
    #expect(event.status == .pending && event.attemptCount == 0 && event.maxAttempts == 5)
    #expect(event.priority == 0 && event.isNewRecord && event.metadata == nil)
    let copy = try JSONDecoder().decode(OutboxEvent.self, from: JSONEncoder().encode(event))
    #expect(copy == event)
    #expect(OutboxEventType.allCases.count == 13)
    let configuration = OutboxProcessorService.Configuration.default
    #expect(configuration.batchSize == 10 && configuration.processingInterval == 0.1)
    #expect(configuration.maxConcurrentOperations == 3 && configuration.cleanupInterval == 300)
    #expect(configuration.retryDelays == [1, 5, 30, 120, 600])
  }

  @Test func `a dictionary is metadata, as in FitIQ's first protocol`() async throws {
    let (name, category, exercises): (String, String?, [Int]) = ("Upper body", nil, [1, 2, 3])
    let repository = SwiftDataOutboxRepository(modelContext: ModelContext())
    let event = try await repository.createEvent(
      eventType: .workoutTemplate,
      entityID: UUID(),
      userID: "U",
      isNewRecord: true,
      metadata: [
        "name": name,
        "category": category ?? "",
        "exerciseCount": exercises.count,
      ],
      priority: 5
    )
    #expect(
      event.metadata == .generic(["name": "Upper body", "category": "", "exerciseCount": "3"]))
  }

  @Test func `every error of the library has a description for its user`() {
    let errors: [any LocalizedError] = [
      OutboxProcessorError.notStarted, OutboxProcessorError.noHandlerFound(eventType: .goal),
      OutboxError.closed, OutboxError.readOnly, OutboxMetadataError.notFinite,
    ]
    for error in errors {
      #expect(error.errorDescription == error.localizedDescription)
      #expect(error.errorDescription?.isEmpty == false)
    }
  }
}
