import CommandLineKit
import OutboxCore
import Platform
import SQLite
import StoreFormat
import StoreMigration

/// The outbox of a store, to be looked at or written to.
struct OutboxAccess {
  let migrator: StoreMigrator

  init(_ globals: GlobalOptions) throws {
    migrator = StoreMigrator(catalog: try Catalog(folder: globals.migrations))
  }

  /// Reads a store's outbox, and leaves every byte as it was.
  func look<Output>(
    at path: String,
    _ body: (StoreDescription, borrowing Connection) throws -> Output
  ) throws(Failure) -> Output {
    do {
      let inspection = try StoreInspection(path: path, catalog: migrator.catalog)
      return try inspection.reading { Result { try body(inspection.store, inspection.connection) } }
        .get()
    } catch {
      throw Failure(outbox: error)
    }
  }

  /// Writes to a store's outbox behind a snapshot, or says what it would write.
  func edit<Output>(
    _ path: String, as command: [String], isDryRun: Bool,
    _ body: (StoreDescription, borrowing Connection) throws -> Output
  ) throws(Failure) -> (report: EditReport, result: Output) {
    do {
      // Refused before a copy is made, and not called torn for what it is.
      _ = try look(at: path) { store, _ in try OutboxTable(store) }
      let changes = { (connection: borrowing Connection) throws -> Output in
        try body(try StoreDescription(reading: connection), connection)
      }
      return isDryRun
        ? try migrator.tryEdit(path, changes)
        : try migrator.edit(path, as: command.joined(separator: " "), changes)
    } catch {
      throw Failure(outbox: error)
    }
  }
}

extension Failure {
  /// The failure behind an error of reading or writing an outbox.
  init(outbox error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as MigrationError: self.init(error)
    case let error as OutboxError: self.init(error.exitStatus, error.description)
    case let error as SQLiteError: self.init(.ioError, error.description)
    case let error as StoreFormatError: self.init(.unknownStore, error.description)
    default: self.init(any: error)
    }
  }
}

extension OutboxError {
  fileprivate var exitStatus: StoreMigration.ExitStatus {
    switch self {
    case .noOutbox, .store: .unknownStore
    case .sqlite: .ioError
    case .noSuchEvent, .alreadyProcessing, .metadata, .noDefault: .failed
    }
  }
}
