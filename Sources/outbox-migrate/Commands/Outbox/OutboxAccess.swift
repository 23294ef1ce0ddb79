import OutboxCore
import SQLite
import StoreFormat
import StoreMigration
import Migrations
import OutboxConversion
import StoreProof

/// Read and write access to a store's outbox.
struct OutboxAccess {
  let migrator: StoreMigrator

  init(_ globals: GlobalOptions) throws {
    migrator = StoreMigrator(catalog: try Catalog(folder: globals.migrations))
  }

  /// Reads a store's outbox, without writing to the store's files.
  func read<Output>(
    _ path: String,
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

  /// Takes a snapshot and edits a store's outbox, or reports what would change.
  func edit<Output>(
    _ path: String, as command: [String], isDryRun: Bool,
    _ body: (StoreDescription, borrowing Connection) throws -> Output
  ) throws(Failure) -> (report: EditReport, result: Output) {
    do {
      // A store without an outbox is refused here, before a copy is made.
      _ = try read(path) { store, _ in try OutboxTable(store) }
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
