import Foundation

// What the apps and SwiftData have, as far as the examples use it.

/// Keeps the models that are inserted, as SwiftData's context does.
final class ModelContext: @unchecked Sendable {
  private(set) var events: [SDOutboxEvent] = []
  private(set) var saves = 0

  func insert(_ event: SDOutboxEvent) { events.append(event) }
  func delete(_ event: SDOutboxEvent) { events.removeAll { $0 === event } }
  func save() throws { saves += 1 }
}

final class SDOutboxEvent {
  var id: UUID
  var eventType: String
  var entityID: UUID
  var userID: String
  var status: String
  var createdAt: Date
  var lastAttemptAt: Date?
  var attemptCount = 0
  var maxAttempts = 5
  var errorMessage: String?
  var completedAt: Date?
  var metadata: String?
  var priority: Int
  var isNewRecord: Bool

  init(
    id: UUID = UUID(), eventType: String, entityID: UUID, userID: String, status: String,
    createdAt: Date = Date(), metadata: String?, priority: Int, isNewRecord: Bool
  ) {
    self.id = id
    self.eventType = eventType
    self.entityID = entityID
    self.userID = userID
    self.status = status
    self.createdAt = createdAt
    self.metadata = metadata
    self.priority = priority
    self.isNewRecord = isNewRecord
  }
}

struct ProgressEntry: Hashable, Sendable {
  let id: UUID
  let quantity: Double
}

protocol ProgressRepositoryProtocol: Sendable {
  func fetchByID(_ id: UUID) async throws -> ProgressEntry?
}

protocol RemoteHealthDataSyncPort: Sendable {
  func syncProgressEntry(_ entry: ProgressEntry) async throws
}

struct MoodCreatedPayload: Codable, Hashable, Sendable {
  let valence: Double
  let labels: [String]
}

typealias MoodUpdatedPayload = MoodCreatedPayload

struct AccessToken: Sendable {
  let accessToken: String
}

protocol TokenStorageProtocol: Sendable {
  func getToken() async throws -> AccessToken?
}

protocol MoodBackendServiceProtocol: Sendable {
  func createMood(_ payload: MoodCreatedPayload, accessToken: String) async throws
  func updateMood(_ payload: MoodUpdatedPayload, accessToken: String) async throws
}
