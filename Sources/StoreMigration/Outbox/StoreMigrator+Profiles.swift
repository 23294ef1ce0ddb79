import Migrations
import SQLite
import StoreFormat

extension StoreMigrator {
  /// Returns the ids of a store's user profiles, which can own rows: the values for `--user-id`.
  ///
  /// - Parameter path: The path of the store's main file.
  /// - Returns: At most 1,000 ids, sorted; empty if the store's app has none.
  /// - Throws: A ``MigrationError`` if the store can't be read.
  /// - Complexity: O(*n*) in the number of profiles.
  package func profiles(of path: String) throws(MigrationError) -> [String] {
    try reported(path) {
      let inspection = try StoreInspection(path: path, catalog: catalog)
      guard let model = inspection.store.cachedModel ?? inspection.recognition.version?.model else {
        return []
      }
      let layout = inspection.store.layout(of: model)
      return try inspection.reading {
        try OwnerOption.profiles(
          model: model, layout: layout, inspection.connection, schema: "main")
      }
    }
  }
}
