/// How far an event has come; the raw value is what the store holds.
public enum OutboxEventStatus: String, Codable, CaseIterable, Hashable, Sendable {
  case pending
  case processing
  case completed
  case failed

  /// A Boolean value indicating whether the event is still to be sent.
  package var isOpen: Bool { self != .completed }

  /// The name for people.
  public var displayName: String {
    switch self {
    case .pending: "Pending"
    case .processing: "Processing"
    case .completed: "Completed"
    case .failed: "Failed"
    }
  }

  /// The symbol for people.
  public var emoji: String {
    switch self {
    case .pending: "⏳"
    case .processing: "🔄"
    case .completed: "✅"
    case .failed: "❌"
    }
  }
}
