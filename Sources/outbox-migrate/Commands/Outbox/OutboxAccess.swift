import CommandLineKit
import OutboxCore
import Platform
import SQLite
import StoreFormat
import StoreMigration
import Migrations
import StoreAccess

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
      let inspection = try migrator.inspection(of: path)
      return try inspection.reading { Result { try body(inspection.store, inspection.connection) } }
        .get()
    } catch {
      throw Failure(outbox: error, path: path)
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
      throw Failure(outbox: error, path: path)
    }
  }
}
