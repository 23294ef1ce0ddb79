import Platform
import SQLite
import StoreFormat
import StoreModel
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// The migration or the edit that made a store out of its snapshot, made a second time.
///
/// What it makes is the *base*: the store as the run left it. It is compared with the store as it is now,
/// and never kept. Tables that were carried aren't copied; they are read from the snapshot.
struct Replay {
  /// The way from the snapshot's version to the store's.
  let route: Route

  /// What apply did; what carries every row, for an edit.
  let program: StoreProgram

  /// The snapshot.
  let old: StoreDescription

  /// The model that the store was brought to.
  let target: ModelVersion

  /// The files of values that earlier rollbacks parked and that apply put in their places again.
  let returned: [NestedFile]

  /// How many owners the snapshot names.
  let ownerCandidates: Int

  /// The rows that an edit wrote; none for an apply.
  let edited: EditedRows?

  /// The names under which the snapshot and the base are attached.
  static let (oldSchema, baseSchema) = ("old", "base")

  /// The schema that a table of the base is read from.
  func schema(of table: String) -> String {
    remade.contains(table) ? Self.baseSchema : Self.oldSchema
  }

  /// The tables that are made anew.
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
        })
  }

  /// Makes the base in an attached file of its own.
  ///
  /// - Throws: ``RequestError/cannotReplay(_:reason:)`` if it isn't what apply left.
  func make(_ connection: borrowing Connection, expecting hash: String, snapshot: String) throws {
    try write(connection)
    try complete(connection, expecting: hash, snapshot: snapshot)
  }

  /// Makes what the migration alone makes.
  func write(_ connection: borrowing Connection) throws {
    try connection.attach(path: "", as: Self.baseSchema, mode: .temporary)
    let store = NewStore(
      program: program, store: old, target: target, source: Self.oldSchema,
      schema: Self.baseSchema
    ).delivering()
    guard let edited else { return try store.writeChangedTables(connection) }
    try connection.begin(.deferred)
    for table in old.tables where edited.tables.contains(table.name) {
      try store.create(table.sql, connection)
      try edited.fill(table.name, from: Self.oldSchema, into: Self.baseSchema, connection)
    }
    try connection.commit()
  }

  /// Puts back what apply put back after the proof, and compares the outcome with what it left.
  func complete(
    _ connection: borrowing Connection, expecting hash: String, snapshot: String
  ) throws {
    for file in returned {
      try ParkedValues(file: file, model: target.model).restore(
        into: Self.baseSchema, layout: program.targetLayout, connection)
    }
    let found = try ContentHash(
      layout: program.targetLayout, strangers: old.strangers(to: program.sourceLayout),
      schema: schema(of:)
    ).value(connection)
    guard found == hash else {
      throw RequestError.cannotReplay(
        snapshot, reason: "migrating it again doesn't produce the rows that apply wrote")
    }
  }
}
