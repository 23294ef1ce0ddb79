package import SQLite
package import StoreFormat

extension Diagnosis {
  /// Returns what is wrong inside a store: its metadata, model, tables and rows.
  ///
  /// Neither the files around it nor the versions of an app are compared.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - files: The store's files.
  ///   - path: The path of the store, as it was typed.
  ///   - connection: A connection with the store as `main`.
  /// - Returns: The causes, the most important first.
  /// - Throws: A ``SQLiteError`` if a page can't be read.
  /// - Complexity: O(*n*) in the size of the store.
  package static func causes(
    inside store: StoreDescription, files: StoreFiles, path: String,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Cause] {
    let causes =
      Cause.structural(store, path: path)
      + (try StoreReading.contentCauses(of: store, files: files, path: path, connection))
    return Diagnosis(path: path, causes: causes, notes: []).causes
  }

  /// Returns the cause of a log whose end SQLite leaves out; `nil` if the log is whole or missing.
  ///
  /// - Parameters:
  ///   - files: The store's files, which no process has open.
  ///   - path: The path of the store, as it was typed.
  /// - Returns: The cause, or `nil`.
  package static func unusableLog(of files: StoreFiles, path: String) -> Cause? {
    Surroundings(files: files, path: path).unusableLog
  }
}
