import SQLite

/// The entity of both apps' outbox.
let outboxEntity = "SDOutboxEvent"

/// An outbox event with the columns of all formats.
///
/// Dates are seconds since 2001-01-01 UTC, and IDs are 16 bytes.
struct FixtureEvent {
  let id: [UInt8]
  let createdAt: Double
  var eventType: String
  var delivery: DeliveryState

  /// The payload format, Lume V1 to V6; `nil` for NULL.
  var payload: [UInt8]?
  var retryCount = 0

  /// The metadata format, FitIQ V3 to V11 and Lume V7.
  var entityID: [UInt8] = []
  var userID: [UInt8] = []
  var attemptCount = 0
  var priority = 0
  var isNewRecord = true
  var metadata: [UInt8]?

  /// Returns the contents of a column.
  func value(of column: OutboxColumn) -> Value {
    switch column {
    case .id: .blob(id)
    case .createdAt: .real(createdAt)
    case .eventType: .text(eventType)
    case .status: .text(delivery.status)
    case .lastAttemptAt: delivery.lastAttemptAt.map { .real($0) } ?? .null
    case .completedAt: delivery.completedAt.map { .real($0) } ?? .null
    case .errorMessage: delivery.errorMessage.map { .text($0) } ?? .null
    case .payload: payload.map { .blob($0) } ?? .null
    case .retryCount: .integer(Int64(retryCount))
    case .entityID: .blob(entityID)
    case .userID: .text(userID)
    case .attemptCount: .integer(Int64(attemptCount))
    case .maxAttempts: .integer(5)
    case .priority: .integer(Int64(priority))
    case .isNewRecord: .integer(isNewRecord ? 1 : 0)
    case .metadata: metadata.map { .text($0) } ?? .null
    }
  }
}

/// The attributes of an outbox in all formats; raw values are their names.
enum OutboxColumn: String, Sendable {
  case id, createdAt, eventType, status, lastAttemptAt, completedAt, errorMessage
  case payload, retryCount
  case entityID, userID, attemptCount, maxAttempts, priority, isNewRecord, metadata
}

/// The delivery state of an event.
struct DeliveryState {
  let status: String
  let attempts: Int
  let lastAttemptAt: Double?
  let completedAt: Double?
  let errorMessage: String?

  private static let errors = [
    "The request timed out.", "HTTP 500 / internal error", "Unauthorized", "mood not found",
    "The data couldn’t be read because it isn’t in the correct format.",
  ]

  /// Draws a state: 60% completed, 25% pending, 10% failed, 5% processing.
  init(createdAt: Double, _ random: inout RandomSource) {
    let dice = random.below(100)
    let last = ((createdAt + random.number(1...90_000)) * 1e6).rounded() / 1e6
    let error = random.pick(Self.errors)
    switch dice {
    case 0..<56:
      self.init("completed", attempts: random.below(3), last: last, completed: last + 0.25)
    case 56..<60:
      // After five failures, the app marked an event as completed (seen in V6).
      self.init("completed", attempts: 5, last: last, completed: last + 0.25, error: error)
    case 60..<80: self.init("pending", attempts: 0)
    case 80..<85: self.init("pending", attempts: random.integer(1...3), last: last, error: error)
    case 85..<95: self.init("failed", attempts: random.integer(1...5), last: last, error: error)
    default: self.init("processing", attempts: random.below(3), last: last)
    }
  }

  private init(
    _ status: String, attempts: Int, last: Double? = nil, completed: Double? = nil,
    error: String? = nil
  ) {
    self.status = status
    self.attempts = attempts
    lastAttemptAt = last
    completedAt = completed
    errorMessage = error
  }
}
