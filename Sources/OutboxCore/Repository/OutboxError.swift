public import OutboxFormat
package import SQLite
package import StoreFormat

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

  /// There is no event with this id.
  case noSuchEvent(UUID)

  /// Another attempt at the event is under way.
  case alreadyProcessing(UUID)

  /// The metadata can't be written.
  case metadata(OutboxMetadataError)

  /// A new row needs a value for an attribute that has no default.
  case noDefault(attribute: String)
}

/// A failure to read or write a store's file.
public struct StoreFailure: Error, Hashable, Sendable {
  /// The error of the layer that failed.
  package enum Cause: Hashable, Sendable {
    case format(StoreFormatError)
    case sqlite(SQLiteError)
  }

  /// The error of the layer that failed.
  package let cause: Cause
}

extension StoreFailure {
  /// Whether another process has the store locked.
  package var isOfLock: Bool { sqlite?.isBusy ?? false }

  /// Whether the file can't be opened, read or written.
  package var isOfFile: Bool {
    sqlite.map { $0.isIO || $0.isFull || $0.isCantOpen || $0.isReadOnly } ?? false
  }

  private var sqlite: SQLiteError? {
    switch cause {
    case .sqlite(let error), .format(.sqlite(let error)): error
    case .format: nil
    }
  }
}

extension StoreFailure: CustomStringConvertible {
  public var description: String {
    switch cause {
    case .format(let error): error.description
    case .sqlite(let error): error.description
    }
  }
}

extension OutboxError {
  static func format(_ error: StoreFormatError) -> OutboxError {
    .store(StoreFailure(cause: .format(error)))
  }

  static func sqlite(_ error: SQLiteError) -> OutboxError {
    .store(StoreFailure(cause: .sqlite(error)))
  }
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
    case .noSuchEvent(let id): "there is no event '\(id.uuidString)'"
    case .alreadyProcessing(let id): "the event '\(id.uuidString)' is already being processed"
    case .metadata(let error): error.description
    case .noDefault(let attribute):
      "a new row needs a value for 'SDOutboxEvent.\(attribute)', which has no default"
    }
  }
}
