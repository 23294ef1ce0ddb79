#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A reason why an outbox can't be read or written.
public enum OutboxError: Error, Hashable, Sendable {
  /// The store can't be read or written.
  case store(StoreFailure)

  /// The store has no outbox of FitIQCore's form; the text says what is missing.
  case noOutbox(String)

  /// The repository is closed.
  case closed

  /// The repository was opened for reading only.
  case readOnly

  /// No event and no profile of the store belongs to this user.
  case noSuchUser(String)

  /// There is no event with this id.
  case noSuchEvent(UUID)

  /// Another attempt at the event is under way.
  case alreadyProcessing(UUID)

  /// The metadata can't be written.
  case metadata(OutboxMetadataError)

  /// A new row needs a value for an attribute that has no default.
  case noDefault(attribute: String)
}

/// A failure to read or write the place where the events are.
public struct StoreFailure: LocalizedError, CustomStringConvertible {
  /// The error of the layer that failed.
  public let cause: any Error

  public let description: String

  public var errorDescription: String? { description }

  /// Creates a failure, with the error's own text as its description.
  public init(_ cause: some Error & CustomStringConvertible) {
    self.cause = cause
    description = cause.description
  }
}

/// Failures are equal if their texts are.
extension StoreFailure: Hashable {
  public static func == (left: StoreFailure, right: StoreFailure) -> Bool {
    left.description == right.description
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension OutboxError: CustomStringConvertible, LocalizedError {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .store(let error): error.description
    case .noOutbox(let missing):
      "the store has no outbox that this command supports: \(missing); migrate it to a version with "
        + "FitIQCore's outbox first (FitIQ V3 or later, Lume V7); for a store of another app, use "
        + "'status', 'verify' or 'diff'"
    case .closed: "the outbox is closed; open it again"
    case .readOnly: "the outbox is open for reading only; open it for writing"
    case .noSuchUser(let id): "no event and no profile of the store belongs to '\(id)'"
    case .noSuchEvent(let id): "there is no event '\(id.uuidString)'"
    case .alreadyProcessing(let id): "the event '\(id.uuidString)' is already being processed"
    case .metadata(let error): error.description
    case .noDefault(let attribute):
      "a new row needs a value for 'SDOutboxEvent.\(attribute)', which has no default"
    }
  }
}
