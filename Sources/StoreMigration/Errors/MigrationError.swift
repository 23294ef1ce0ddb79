package import StoreExchange
package import JSONText
package import Migrations
package import StoreAccess
package import RowRewriting
import OutboxConversion
package import StoreProof

/// A reason why a store can't be read, migrated, verified or rolled back.
///
/// Each layer has its own errors. The library's functions throw this one, which wraps them.
/// ``description`` says what is wrong and what to do, without values of rows.
public struct MigrationError: Error, Hashable, Sendable {
  /// The error of the layer that failed.
  package enum Cause: Hashable, Sendable {
    /// The store's files can't be opened, read or written.
    case access(StoreAccessError)

    /// The store's version, or a route to another version, isn't known.
    case version(VersionError)

    /// A file of schemas, migrations or plans is malformed.
    case file(JSONError)

    /// The store's tables don't match the migration.
    case program(ProgramError)

    /// A row has a value that can't be carried.
    case row(RowError)

    /// The new store doesn't match the plan.
    case verification(VerificationError)

    /// The store can't be replaced or rolled back.
    case exchange(ExchangeError)

    /// The store can't fulfil a request.
    case request(RequestError)
  }

  /// The error of the layer that failed.
  package let cause: Cause

  package init(_ cause: Cause) { self.cause = cause }

  /// Whether the new store is at its path although the run failed.
  ///
  /// Only its cleanup is left, which the next run that writes completes.
  public var isStoreReplaced: Bool {
    if case .exchange(.unfinished) = cause { true } else { false }
  }

  /// Whether the run was cancelled: see ``StoreMigrator/init(catalog:isCancelled:)``.
  public var isCancelled: Bool {
    if case .request(.cancelled) = cause { true } else { false }
  }

  /// The path, as typed, at which there is no store; `nil` for other errors.
  package var missingStore: String? {
    if case .access(.noSuchStore(let path)) = cause { path } else { nil }
  }
}

extension MigrationError {
  /// Wraps the error of a layer; `nil` if no layer has such an error.
  package init?(known error: any Error, path: String) {
    switch error {
    case let error as MigrationError: self = error
    case let error as VersionError: cause = .version(error)
    case let error as LineageError: cause = .version(.lineage(error))
    case let error as JSONError: cause = .file(error)
    case let error as ProgramError: cause = .program(error)
    case let error as RowError: cause = .row(error)
    case let error as VerificationError: cause = .verification(error)
    case let error as ExchangeError: cause = .exchange(error)
    case let error as RequestError: cause = .request(error)
    case let error:
      guard let error = StoreAccessError(known: error, path: path) else { return nil }
      cause = .access(error)
    }
  }

  /// Wraps the error of a layer.
  ///
  /// - Precondition: The error is one of this package's.
  package init(wrapping error: any Error, path: String) {
    guard let known = MigrationError(known: error, path: path) else {
      preconditionFailure("an error of no layer: \(type(of: error))")
    }
    self = known
  }
}

extension MigrationError: CustomStringConvertible {
  public var description: String {
    switch cause {
    case .access(let error): error.description
    case .version(let error): error.description
    case .file(let error): error.description
    case .program(let error): error.description
    case .row(let error): error.description
    case .verification(let error): error.description
    case .exchange(let error): error.description
    case .request(let error): error.description
    }
  }
}
