import StoreAccess
import StoreExchange
import SQLite
import StoreFormat
import StoreModel
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// A store and the snapshot that it was made from, with what leads from one to the other.
struct OriginStores: Sendable {
  let origin: Origin

  /// The path of the store, as it was typed.
  let path: String
  let files: StoreFiles

  /// The store's model.
  let model: Model
  let catalog: Catalog

  /// A Boolean value indicating whether another process may write while the store is read.
  let isShared: Bool

  /// The name under which the store is attached.
  static let presentSchema = "present"

  /// Opens the store.
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

  /// What the run did, by its receipt.
  func replay(_ connection: borrowing Connection) throws -> Replay {
    try attachSnapshot(connection)
    return try Replay(
      origin.receipt, of: origin.snapshot, present: model, catalog: catalog, connection)
  }

  /// The ledger of the snapshot and what it was made into.
  func ledger(
    _ replay: Replay, _ schema: @escaping @Sendable (String) -> String
  ) -> Ledger {
    Ledger(
      program: replay.program, store: replay.old, sourceSchema: Replay.oldSchema,
      targetSchema: schema, scope: .content, setAside: SetAside(origin.snapshot))
  }

  /// The account of snapshot and store as if nothing had been written since.
  ///
  /// Whether that is so shows by the digests that it makes on the way.
  ///
  /// None where it wouldn't count even so.
  func trialAccount() throws -> LedgerAccount? {
    // A store in use may change while it is read.
    guard origin.receipt.kind == .apply, !isShared else { return nil }
    let connection = try connect()
    do {
      let replay = try replay(connection)
      // What was parked and came back isn't in the snapshot: only the base is before that.
      guard replay.returned.isEmpty else { return nil }
      return LedgerAccount(ledger(replay) { _ in Self.presentSchema })
    } catch RequestError.cannotReplay {
      // The missing ledger is reported where it is needed.
      return nil
    }
  }
}
