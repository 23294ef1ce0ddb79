import Migrations
package import SQLite
import StoreFormat

extension StoreInspection {
  /// Returns the number of rows of each entity that the store has a table for, by name.
  package func rowCounts() throws(SQLiteError) -> [String: Int64] {
    guard let model = store.cachedModel ?? recognition.version?.model else { return [:] }
    let layout = StoreLayout(model, joinTableNames: store.tableNames)
    return try EntityCounts(layout: layout).counts(connection)
  }
}
