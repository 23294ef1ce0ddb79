import InputFiles
import OutboxStore
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

  /// Returns the id of a user as the store spells it.
  ///
  /// - Throws: A `Failure` if the store names only other users.
  func spelling(
    of userID: String, in store: StoreDescription, _ connection: borrowing Connection
  ) throws -> String {
    guard let found = try OutboxUsers(store).spelling(of: userID, connection) else {
      throw Failure(
        .misuse,
        "no event and no profile of the store belongs to '\(userID)'; "
          + "'outbox stats --show-values' shows the users")
    }
    return found
  }

  /// What an edit did, what its closure returned, and what is to be known about the outbox.
  struct Edit<Output> {
    let report: EditReport
    let result: Output
    let warnings: [PlanWarning]
  }

  /// Takes a snapshot and edits a store's outbox, or reports what would change.
  func edit<Output>(
    _ path: String, as command: [String], isDryRun: Bool,
    _ body: (StoreDescription, borrowing Connection) throws -> Output
  ) throws(Failure) -> Edit<Output> {
    do {
      // A store without an outbox is refused here, before a copy is made.
      _ = try read(path) { store, _ in try OutboxTable(store) }
      let changes = { (connection: borrowing Connection) throws -> (Output, unreadable: Int) in
        let store = try StoreDescription(reading: connection)
        let result = try body(store, connection)
        return (result, try OutboxTable(store).unreadableCount(connection))
      }
      let (report, (result, unreadable)) =
        isDryRun
        ? try migrator.tryEdit(path, changes)
        : try migrator.edit(path, as: command.joined(separator: " "), changes)
      return Edit(
        report: report, result: result,
        warnings: unreadable == 0 ? [] : [.unreadable(rows: Int64(unreadable), app: report.app)])
    } catch {
      throw Failure(outbox: error, path: path)
    }
  }
}

extension PlanWarning {
  /// The warning about rows of an outbox that aren't events.
  fileprivate static func unreadable(rows: Int64, app: String) -> PlanWarning {
    let advice =
      app == "Lume" ? ", and 'apply --rows deliverable' rewrites documented rows" : ""
    return PlanWarning(
      code: "unreadable", rows: rows,
      message: "these rows aren't readable as events, and the shipped apps stop processing their "
        + "queue at the first of them; 'outbox verify' names them\(advice)")
  }
}
