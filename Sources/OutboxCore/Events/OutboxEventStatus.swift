/// The delivery status of an event; the raw value is the value in the store.
public enum OutboxEventStatus: String, Codable, CaseIterable, Hashable, Sendable {
  case pending
  case processing
  case completed
  case failed

  /// Whether the event is still to be sent.
  package var isOpen: Bool { self != .completed }

  /// The name to display.
  public var displayName: String {
    switch self {
    case .pending: "Pending"
    case .processing: "Processing"
    case .completed: "Completed"
    case .failed: "Failed"
    }
  }

  /// The symbol to display.
  public var emoji: String {
    switch self {
    case .pending: "⏳"
    case .processing: "🔄"
    case .completed: "✅"
    case .failed: "❌"
    }
  }
}
