import Migrations
import Platform
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
  /// - Parameters:
  ///   - connection: A connection with the store as `main`.
  ///   - damage: The pages of the store, if some are damaged.
  /// - Returns: The version.
  /// - Throws: A ``RepairError``, a ``VersionError`` if the store mirrors to CloudKit, or an error
  ///   if it can't be read.
  func chosenModel(
    _ connection: borrowing Connection, _ damage: Salvage?
  ) throws -> ChosenModel {
    let store = try describe(connection, damage)
    // CloudKit doesn't learn of rows that a repair writes.
    if store.isMirrored { throw VersionError.mirrored(path, .repair) }
    return try ModelChoice(
      path: path, store: store, catalog: catalog, given: options.versions
    ).chosen()
  }

  /// Describes a store that may lack Core Data's own tables.
  private func describe(
    _ connection: borrowing Connection, _ damage: Salvage?
  ) throws -> StoreDescription {
    do throws(StoreFormatError) {
      return catalog.completing(try StoreDescription(reading: connection))
    } catch {
      switch error {
      case .notAStore: break
      case .sqlite(let failure): guard failure.isCorrupt, damage != nil else { throw error }
      case .badMetadata, .badModelCache: throw error
      }
    }
    let copy = try Self.temporary()
    _ = try fill(copy, from: connection, damage)
    _ = try Mending.createSystemTables(at: path, copy)
    return catalog.completing(try StoreDescription(reading: copy))
  }

  /// Returns what reads the damaged pages of a store; `nil` if SQLite finds no damage.
  ///
  /// - Parameters:
  ///   - connection: A connection with the store as `main`.
  ///   - main: The main file of the store.
  /// - Returns: What reads the pages, or `nil`.
  /// - Throws: A `SystemError` or a `SQLiteError` if the file can't be read.
  func damage(_ connection: borrowing Connection, _ main: SharedFile) throws -> Salvage? {
    guard try Salvage.isDamaged(connection) else { return nil }
    return try RawPages(of: main, files).map { Salvage(path: path, pages: $0) }
  }

  /// Returns an empty database in a temporary file.
  static func temporary() throws(SQLiteError) -> Connection {
    let copy = try Connection(path: "", mode: .temporary, followingLinks: false)
    try copy.keepLittleInMemory()
    return copy
  }

  /// Fills an empty database with the pages of a store, or with the rows of a damaged one.
  ///
  /// - Returns: What was saved; empty if no page is damaged.
  func fill(
    _ copy: borrowing Connection, from store: borrowing Connection, _ damage: Salvage?
  ) throws -> SavedRows {
    if let damage { return try damage.run(from: store, to: copy) }
    try copy.copyPages(of: store)
    return SavedRows()
  }

  /// Repairs a copy.
  ///
  /// - Parameters:
  ///   - chosen: The version of the store.
  ///   - saved: What was saved; `nil` if no page is damaged.
  ///   - copy: A connection with the copy as `main`.
  /// - Returns: What was written.
  /// - Throws: A ``RepairError``, or a `SQLiteError` if a page can't be read or written.
  func mend(
    to chosen: ChosenModel, _ saved: SavedRows?, _ copy: borrowing Connection
  ) throws -> RepairAccount {
    var mending = Mending(path: path, chosen: chosen, fills: options.fills)
    if let saved { mending.account.report(saved, StoreLayout(chosen.model)) }
    let created = try Mending.createSystemTables(at: path, copy)
    for table in created.tables { mending.account.add(.table, table, "table '\(table)' created") }
    for table in created.replaced {
      mending.account.lose(
        table, count: nil, "what '\(table)' held without its primary key is lost")
    }
    for column in created.columns {
      mending.account.add(.column, column, "column '\(column)' created")
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
    store.layout(of: chosen.model)
  }
}
