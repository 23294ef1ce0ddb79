import Platform
import StoreAccess
import StoreExchange
import SQLite
import StoreFormat
import StoreModel
import Migrations
import StoreProof

/// A store, the snapshot that it was made from, and what is needed to compare them.
struct OriginStores: Sendable {
  let origin: Origin

  /// The path of the store, as it was typed.
  let path: String
  let files: StoreFiles

  /// The store's model.
  let model: Model
  let catalog: Catalog

  /// Whether another process may write while the store is read.
  let isShared: Bool

  /// The schema name of the store.
  static let presentSchema = "present"

  /// Opens a connection that has the store attached.
  func connect() throws(SQLiteError) -> Connection {
    let connection = try Connection(path: "", mode: .temporary, followingLinks: false)
    try connection.keepLittleInMemory()
    try connection.attach(
      path: files.path, as: Self.presentSchema, mode: isShared ? .readOnly : .readOnlyUnshared)
    return connection
  }

  /// Attaches the snapshot, unless it is already.
  func attachSnapshot(_ connection: borrowing Connection) throws {
    let schemas = try connection.rows("PRAGMA database_list").map { $0[1].string }
    if schemas.contains(Replay.oldSchema) { return }
    try connection.attach(origin.snapshot.mainFile, as: Replay.oldSchema, mode: .immutable)
  }

  /// Reads from the receipt how to repeat the run.
  func replay(_ connection: borrowing Connection) throws -> Replay {
    try attachSnapshot(connection)
    return try Replay(
      origin.receipt, of: origin.snapshot, present: model, catalog: catalog, connection)
  }

  /// Returns the ledger that compares the snapshot with the store or with the base.
  func ledger(
    _ replay: Replay, carriedOnPages pages: CarriedPages? = nil,
    _ schema: @escaping @Sendable (String) -> String
  ) -> Ledger {
    Ledger(
      program: replay.program, store: replay.old, sourceSchema: Replay.oldSchema,
      targetSchema: schema, scope: .content, setAside: SetAside(origin.snapshot),
      carriedOnPages: pages)
  }

  /// Returns the tables that the run left on their pages, if they are still there; else `nil`.
  func carriedPages() throws -> CarriedPages? {
    let tables = origin.receipt.carried
    // With a log, the file alone isn't the store.
    guard try origin.receipt.kind == .apply && !tables.isEmpty && !isShared && !files.hasLog
    else { return nil }
    let connection = try connect()
    try attachSnapshot(connection)
    return try CarriedPages.found(
      tables, of: SharedFile(FileDescriptor(opening: files.path)),
      in: SharedFile(origin.snapshot.mainFile.open()), schema: Self.presentSchema,
      oldSchema: Replay.oldSchema, connection)
  }

  /// Returns the ledger of snapshot and store as if nothing was written since; `nil` if unusable.
  ///
  /// The digests that it computes show later whether that is true.
  ///
  /// - Parameter pages: The tables that the run left on their pages.
  /// - Returns: The ledger, none of it computed.
  /// - Throws: An error if a store can't be read.
  func trialAccount(_ pages: SharedPiece<CarriedPages?>) throws -> LedgerAccount? {
    // A store in use may change while it is read.
    guard origin.receipt.kind == .apply, !isShared else { return nil }
    let connection = try connect()
    do {
      let replay = try replay(connection)
      // Restored parked values aren't in the snapshot: only the base without them can be compared.
      guard replay.returned.isEmpty else { return nil }
      return try LedgerAccount(
        ledger(replay, carriedOnPages: pages.outcome()) { _ in Self.presentSchema })
    } catch RequestError.cannotReplay {
      // The missing ledger is reported where it is needed.
      return nil
    }
  }
}
