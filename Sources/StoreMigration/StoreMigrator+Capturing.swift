import StoreFormat
import SQLite
package import StoreModel
import Migrations

extension StoreMigrator {
  /// Captures the schema of a store: its model, identifiers and the bytes of its model cache.
  ///
  /// A store that a new build of an app created once, in a simulator, gives the exact target of a
  /// migration.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - app: The app's name for the file; `nil` for the recognised app, or else the store's name.
  ///   - version: The version's name; `nil` for the recognised one.
  ///   - name: The name of a version that isn't recognised; `nil` for the store's first identifier.
  /// - Returns: The schema, with the bytes of the cache.
  /// - Throws: A ``MigrationError`` if the store has no model that can be read, or if it is torn.
  package func capture(
    _ path: String, app: String? = nil, version: String? = nil, called name: String? = nil
  ) throws(MigrationError) -> SchemaFile {
    try reported(path) {
      let inspection = try StoreInspection(path: path, catalog: catalog)
      guard let model = inspection.store.cachedModel else {
        throw VersionError.noModel(path, reasons: inspection.store.problems)
      }
      guard inspection.recognition.match != .torn else {
        throw VersionError.torn(path, findings: inspection.recognition.disagreements)
      }
      let known = inspection.recognition.match == .exact ? inspection.recognition.version : nil
      let cache = try inspection.reading {
        try inspection.store.modelCacheCount == 0
          ? nil : inspection.connection.value("SELECT Z_CONTENT FROM Z_MODELCACHE")
      }
      let stem = inspection.files.name.split(separator: ".").first.map(String.init) ?? "app"
      return SchemaFile(
        app: app ?? known?.app ?? stem,
        version: version ?? known?.name ?? name
          ?? model.versionIdentifiers.first { !$0.isEmpty } ?? ModelVersion.unnamed,
        note: "captured from '\(inspection.files.name)'", model: model,
        capture: cache?.bytes.map { SchemaCapture(modelCache: $0) })
    }
  }
}
