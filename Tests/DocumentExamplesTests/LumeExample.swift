import Foundation
import OutboxCore

// Lume's code: a handler that reads the metadata as JSON.

struct MoodEntryOutboxHandler: OutboxProcessorService.OutboxEventHandler {
  let moodBackendService: MoodBackendServiceProtocol
  let tokenStorage: TokenStorageProtocol

  func canHandle(eventType: OutboxEventType) -> Bool {
    eventType == .moodEntry
  }

  func handle(event: OutboxEvent) async throws {
    guard let token = try await tokenStorage.getToken() else {
      throw LumeHandlerError.authenticationRequired
    }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let metadataString = event.metadata?.jsonString,
      let payloadData = metadataString.data(using: .utf8)
    else {
      throw LumeHandlerError.invalidPayload
    }
    // The document searches the event type for "created" and "updated", which no type contains.
    if event.isNewRecord {
      let payload = try decoder.decode(MoodCreatedPayload.self, from: payloadData)
      try await moodBackendService.createMood(payload, accessToken: token.accessToken)
    } else {
      let payload = try decoder.decode(MoodUpdatedPayload.self, from: payloadData)
      try await moodBackendService.updateMood(payload, accessToken: token.accessToken)
    }
  }
}

enum LumeHandlerError: LocalizedError {
  case authenticationRequired
  case invalidPayload

  var errorDescription: String? {
    switch self {
    case .authenticationRequired:
      return "Authentication required"
    case .invalidPayload:
      return "Invalid event payload"
    }
  }
}

extension OutboxMetadata {
  var jsonString: String? {
    let encoder = JSONEncoder()
    guard let data = try? encoder.encode(self),
      let string = String(data: data, encoding: .utf8)
    else {
      return nil
    }
    return string
  }
}

/// Lume's call after the change, whose result it doesn't use.
func trackMood(
  id: UUID, valence: Double, labels: [String], currentUserID: String,
  outboxRepository: OutboxRepositoryProtocol
) async throws {
  try await outboxRepository.createEvent(
    eventType: .moodEntry,
    entityID: id,
    userID: currentUserID,
    isNewRecord: true,
    metadata: .moodEntry(valence: valence, labels: labels),
    priority: 5
  )
}
