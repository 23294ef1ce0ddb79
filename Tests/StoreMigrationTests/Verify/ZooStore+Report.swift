import Migrations
import StoreMigration
import TestSupport

extension ZooStore {
  /// Runs `verify` on the store.
  func report() throws -> VerifyReport {
    try addLog()
    return try StoreMigrator(catalog: Catalog(versions: [], migrations: [])).verify(path)
  }
}
