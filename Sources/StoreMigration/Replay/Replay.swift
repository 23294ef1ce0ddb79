import OutboxConversion
import Platform
import StoreExchange
import SQLite
import StoreFormat
import Migrations
import RowRewriting

/// Repeats the migration or edit that made a store from its snapshot.
///
/// The result is the *base*: the store as the run left it. It is compared with the present store
/// and then discarded. Carried tables aren't copied; they are read from the snapshot. This is step
/// (h) of the protocol in `Durability.md`.
struct Replay {
  /// The route from the snapshot's version to the store's.
  let route: Route

  /// The program that apply ran; for an edit, one that carries every row.
  let program: StoreProgram

  /// The description of the snapshot.
  let old: StoreDescription

  /// The version that the store was brought to.
  let target: ModelVersion

  /// The files of values that earlier rollbacks parked and that apply put in their places again.
  let returned: [NestedFile]

  /// The number of owners that the snapshot names.
  let ownerCandidates: Int

  /// The rows that an edit wrote; `nil` for an apply.
  let edited: EditedRows?

  /// The schema names of the snapshot and of the base.
  static let (oldSchema, baseSchema) = ("old", "base")

  /// Returns the schema to read a table of the base from.
  func schema(of table: String) -> String {
    remade.contains(table) ? Self.baseSchema : Self.oldSchema
  }

  /// The tables that the replay writes; the others are carried.
  private var remade: Set<String> {
    edited?.tables
      ?? Set(
        program.actions.compactMap { action in
          switch action {
          case .carry: nil
          case .create(let table): table.name
          case .rewrite(let rows): rows.table.name
          case .rejoin(let join): join.table.name
          }
        } + old.renumberedTables(by: program).map(\.name))
  }

  /// Makes the base in an attached temporary file.
  ///
  /// - Throws: ``RequestError/cannotReplay(_:reason:)`` if the base doesn't have the receipt's hash.
  func make(
    _ connection: borrowing Connection, expecting receipt: Receipt, snapshot: String
  ) throws {
    try write(connection)
    try complete(connection, expecting: receipt, snapshot: snapshot)
  }

  /// Writes the base without the parked values that apply restored.
  func write(_ connection: borrowing Connection) throws {
    try connection.attach(path: "", as: Self.baseSchema, mode: .temporary)
    let store = NewStore(
      program: program, store: old, target: target, source: Self.oldSchema,
      schema: Self.baseSchema
    ).writingDeliverableRows()
    guard let edited else { return try store.writeChangedTables(connection) }
    try connection.begin(.deferred)
    for table in old.tables where edited.tables.contains(table.name) {
      try connection.execute(store.create(table.sql))
      try edited.fill(table.name, from: Self.oldSchema, into: Self.baseSchema, connection)
    }
    try connection.commit()
  }

  /// Restores the parked values that apply restored after the proof, then checks the base's hash.
  func complete(
    _ connection: borrowing Connection, expecting receipt: Receipt, snapshot: String
  ) throws {
    for file in returned {
      try ParkedValues(file: file, model: target.model, schema: schema(of:)).restore(
        into: Self.baseSchema, layout: program.targetLayout, connection)
    }
    let found = try ContentHash(
      .init(of: receipt.contentHash), layout: program.targetLayout,
      unmodeledTables: old.unmodeledTables(in: program.sourceLayout),
      leavingOut: Set(receipt.carried), schema: schema(of:)
    ).value(connection)
    // The rows of tables that the base reads from the snapshot are the snapshot's anyway.
    guard found == receipt.contentHash, remade.isDisjoint(with: receipt.carried) else {
      throw RequestError.cannotReplay(
        snapshot, reason: "migrating it again doesn't produce the rows that apply wrote")
    }
  }
}
