import Migrations
import StoreMigration
import Testing

@testable import StoreRepair

/// Repairs a store: a dry run, the repair, its rollback, and the repair again.
func repairedAgain(_ path: String) throws -> RepairReport {
  let migrator = StoreMigrator(catalog: .bundled)
  let damaged = try bytes(of: path)
  let planned = try migrator.repair(path, dryRun: true)
  #expect(try bytes(of: path) == damaged)
  let done = try migrator.repair(path)
  #expect(planned.mends == done.mends && planned.losses == done.losses)
  #expect(planned.ledger == done.ledger && planned.left == done.left)
  #expect(planned.notes == done.notes)
  if done.snapshot != nil {
    _ = try migrator.rollback(path)
    #expect(try bytes(of: path) == damaged)
    _ = try migrator.repair(path)
  }
  return done
}
