import OutboxStore
package import JSONText
import OutboxCore

/// An error that prevented a delivery, as the main program reads it.
package struct DeliveryFailure: Hashable, Sendable {
  /// The exit status, of those in `sysexits.h` and of the main program.
  ///
  /// 64 for an unsuitable address, 65 for a token file without a token, 74 for a file that can't be
  /// read or written, 5 for a store in use, 4 for a store without an outbox, otherwise 1.
  package let exitStatus: Int32

  private let message: String

  /// Describes an error without its contents, which may be tokens.
  package init(_ error: any Error) {
    message = error.describedText
    exitStatus =
      switch error {
      case let error as HTTPError: error.exitStatus
      case let error as TokenError: error.exitStatus
      case let error as OutboxError: error.exitStatus
      default: 1
      }
  }

  /// The error in the format that the main program reads.
  package var json: JSONValue { ["error": .string(message)] }
}

extension HTTPError {
  fileprivate var exitStatus: Int32 {
    switch self {
    case .insecure, .badAddress, .doubledPath: 64
    case .unreachable, .connectionLost, .status, .unauthorized, .badResponse, .tooLarge, .notJSON,
      .noID:
      1
    }
  }
}

extension TokenError {
  fileprivate var exitStatus: Int32 {
    switch self {
    case .unreadable: 65
    case .file: 74
    }
  }
}

extension OutboxError {
  fileprivate var exitStatus: Int32 {
    switch self {
    case .store(let failure): failure.isOfLock ? 5 : failure.isOfFile ? 74 : 1
    case .noOutbox: 4
    case .closed, .readOnly, .noSuchUser, .noSuchEvent, .alreadyProcessing, .metadata, .noDefault: 1
    }
  }
}
