import Migrations
import SQLite
import StoreDiagnosis
import StoreFormat
import StoreModel

/// The work on a copy of a store, the same with and without writing the result.
struct RepairPass {
  /// The path of the store, as it was typed.
  let path: String
  let files: StoreFiles
  let catalog: Catalog
  let options: RepairOptions

  /// Finds the version of a store.
  ///
  /// - Parameter connection: A connection with the store as `main`.
  /// - Returns: The version.
  /// - Throws: A ``RepairError``, a ``VersionError`` if the store mirrors to CloudKit, or an error
  ///   if it can't be read.
  func chosenModel(_ connection: borrowing Connection) throws -> ChosenModel {
    let store = try describe(connection)
    // CloudKit doesn't learn of rows that a repair writes.
    if store.isMirrored { throw VersionError.mirrored(path, .edit) }
    return try ModelChoice(
      path: path, store: store, catalog: catalog, given: options.versions
    ).chosen()
  }

  /// Describes a store that may lack Core Data's own tables.
  private func describe(_ connection: borrowing Connection) throws -> StoreDescription {
    do throws(StoreFormatError) {
      return catalog.completing(try StoreDescription(reading: connection))
    } catch {
      guard case .notAStore = error else { throw error }
    }
    let copy = try Self.temporaryCopy(of: connection)
    _ = try Mending.createSystemTables(copy)
    return catalog.completing(try StoreDescription(reading: copy))
  }

  /// Returns a copy of a store in a temporary file.
  static func temporaryCopy(
    of connection: borrowing Connection
  ) throws(SQLiteError) -> Connection {
    let copy = try Connection(path: "", mode: .temporary, followingLinks: false)
    try copy.keepLittleInMemory()
    try copy.copyPages(of: connection)
    return copy
  }

  /// Repairs a copy.
  ///
  /// - Parameters:
  ///   - chosen: The version of the store.
  ///   - copy: A connection with the copy as `main`.
  /// - Returns: What was written.
  /// - Throws: A ``RepairError``, or a `SQLiteError` if a page can't be read or written.
  func mend(
    to chosen: ChosenModel, _ copy: borrowing Connection
  ) throws -> RepairAccount {
    var mending = Mending(path: path, chosen: chosen, fills: options.fills)
    for table in try Mending.createSystemTables(copy) {
      mending.account.add(.table, table, "table '\(table)' was created")
    }
    try mending.run(copy)
    return mending.account
  }

  /// Returns what is wrong with a repaired copy, as `diagnose` finds it.
  ///
  /// - Parameters:
  ///   - chosen: The version of the store.
  ///   - copy: A connection with the copy as `main`.
  /// - Returns: The causes, the most important first.
  /// - Throws: A `SQLiteError` if a page can't be read.
  func left(
    _ chosen: ChosenModel, _ copy: borrowing Connection
  ) throws -> [Diagnosis.Cause] {
    let store = try self.store(chosen, copy)
    return try Diagnosis.causes(inside: store, files: files, path: path, copy)
  }

  /// Returns the description of a repaired copy, with its model if it has no cache.
  func store(
    _ chosen: ChosenModel, _ copy: borrowing Connection
  ) throws -> StoreDescription {
    let store = try StoreDescription(reading: copy)
    return store.lacksModelCache
      ? store.supplied(with: chosen.model, called: chosen.version.name) : store
  }

  /// The layout of a repaired copy.
  func layout(_ chosen: ChosenModel, _ store: StoreDescription) -> StoreLayout {
    StoreLayout(chosen.model, joinTableNames: store.tableNames)
  }
}
