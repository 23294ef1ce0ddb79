import Migrations
import SQLite
import StoreAccess
import StoreFormat
import StoreModel

/// A store that is open for reading, with the model that says what its columns contain.
struct AnonymisingSource: ~Copyable {
  let opened: OpenedStore
  let store: StoreDescription
  let model: Model
  let reader: OriginalReader

  /// Opens a store.
  ///
  /// The model is the store's own, or that of the version that its metadata is nearest to.
  init(_ path: String, _ catalog: Catalog) throws {
    let files = try StoreFiles(resolving: path)
    let opened = try OpenedStore.open(files, typed: path)
    let store = catalog.completing(opened.description)
    let recognition = Recognition(store, in: catalog)
    guard let model = store.cachedModel ?? recognition.version?.model else {
      throw AnonymisingError.noModel(path)
    }
    // The words of the files in the catalog, not of the store: those can't be anybody's data.
    let migrations =
      recognition.version.map { version in
        catalog.migrations.filter { $0.app.lowercased() == version.app.lowercased() }
      } ?? []
    let words = KeptWords(model: model, migrations: migrations)
    reader = OriginalReader(
      files: files, tables: TableShape.all(of: store, model: model), words: words)
    self.opened = opened
    self.store = store
    self.model = model
  }

  /// Throws if the store was written to while it was read without locks.
  func confirmUnchanged(_ path: String) throws {
    guard try opened.isShared || FileTimestamps(of: reader.files) == opened.moments else {
      throw StoreAccessError.inUse(path, holders: [])
    }
  }
}
