import Migrations
import RowRewriting
package import SQLite
import StoreFormat

extension StoreInspection {
  /// Returns the number of rows of each entity that the store has a table for, by name.
  package func rowCounts() throws(SQLiteError) -> [String: Int64] {
    guard let model = store.cachedModel ?? recognition.version?.model else { return [:] }
    let layout = store.layout(of: model)
    return try EntityCounts(layout: layout).counts(connection)
  }

  /// Returns what is known of the store's mirroring to CloudKit; `nil` if it doesn't mirror.
  func mirroring(
    countsRows: Bool, _ catalog: Catalog
  ) throws(SQLiteError) -> StatusReport.Mirroring? {
    guard store.isMirrored else { return nil }
    let version = recognition.match == .exact ? recognition.version : nil
    let route = version.flatMap {
      try? Route(from: $0, to: MigrationRequest(), catalog: catalog)
    }
    return StatusReport.Mirroring(
      counts: countsRows ? try store.mirroringCounts(connection) : nil,
      changes: route.flatMap { MirroredMigration(store, $0)?.schemaChanges } ?? [])
  }
}
