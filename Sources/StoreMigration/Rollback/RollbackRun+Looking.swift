import Platform
import SQLite
import StoreFormat
import StoreModel

/// A store that is open under a name.
struct StoreView {
  let store: StoreDescription
  let schema: String
}

extension RollbackRun {
  /// Says what a rollback would do, and writes nothing.
  func look() throws -> Outcome {
    let inspection = try StoreInspection(path: path, catalog: catalog)
    let connection = try Connection(path: "", mode: .temporary)
    try connection.execute("PRAGMA temp_store = FILE; PRAGMA cache_size = -8192")
    try connection.attach(
      path: files.path, as: "present",
      mode: inspection.holders.isEmpty ? .readOnlyUnshared : .readOnly)
    let view = StoreView(store: inspection.store, schema: "present")
    var outcome = try look(at: view, connection)
    guard outcome.contentBefore != receipt.contentHash, laterWrites == .keep else {
      return outcome
    }
    try connection.attach(path: "", as: NewStore.schema, mode: .temporary)
    var parking: ParkingFile?
    try merge(view, connection, &outcome, &parking)
    outcome.isExact = false
    return outcome
  }

  /// Attaches the snapshot and says what was written to the store since.
  ///
  /// - Throws: ``MigrationError/laterChanges(_:)`` if something was, and nothing says what becomes of it.
  func look(at view: StoreView, _ connection: borrowing Connection) throws -> Outcome {
    guard let model = view.store.cachedModel,
      StructureCheck(view.store, model: model).disagreements.isEmpty
    else { throw MigrationError.torn(path, findings: view.store.problems) }
    let isWhereLeft = view.store.metadata?.hashes?.digest == receipt.digest
    guard isWhereLeft || laterWrites == .discard else {
      throw MigrationError.notThere(path, expected: receipt.to)
    }
    try connection.attach(path: snapshot.mainFile, as: Replay.oldSchema, mode: .immutable)
    let old = try StoreDescription(reading: connection, schema: Replay.oldSchema)
    var outcome = Outcome()
    outcome.from = name(of: view.store)
    outcome.digest = old.metadata?.hashes?.digest ?? ""
    outcome.contentAfter = receipt.contentBefore
    let layout = StoreLayout(model, joinTableNames: view.store.tableNames)
    outcome.contentBefore = try ContentHash(
      layout: layout, store: view.store, schema: view.schema
    ).value(connection)
    if !isWhereLeft || outcome.contentBefore == receipt.contentHash { return outcome }
    do throws(MigrationError) {
      outcome.changes = try changes(of: view, model, connection)
    } catch {
      // What is dropped needn't be told apart.
      guard laterWrites == .discard, case .cannotReplay = error else { throw error }
    }
    guard laterWrites != nil else { throw MigrationError.laterChanges(outcome.changes) }
    return outcome
  }

  private func changes(
    of view: StoreView, _ model: Model, _ connection: borrowing Connection
  ) throws(MigrationError) -> [EntityChange] {
    do {
      let replay = try Replay(
        receipt, of: snapshot, present: model, catalog: catalog, connection)
      try replay.make(connection, expecting: receipt.contentHash, snapshot: snapshot.name)
      return try LaterChanges(replay: replay, store: view.store, schema: view.schema)
        .changes(connection)
    } catch {
      throw MigrationError(wrapping: error, path: path)
    }
  }

  /// Writes the merged store into the attached file; the base is attached already.
  func merge(
    _ view: StoreView, _ connection: borrowing Connection, _ outcome: inout Outcome,
    _ parking: inout ParkingFile?
  ) throws {
    guard let model = view.store.cachedModel else { return }
    let replay = try Replay(receipt, of: snapshot, present: model, catalog: catalog, connection)
    let merged = try MergedStore(
      replay, present: view.store, schema: view.schema, catalog: catalog
    ).write(connection, parking: &parking)
    try parking?.synchronize()
    outcome.merged = merged.merged
    outcome.parked = merged.parked
  }

  /// Checks the merged store by itself, and returns the logical hash of its rows.
  func check(_ work: String, _ connection: borrowing Connection) throws -> String {
    try connection.attach(path: work, as: "merged", mode: .immutable)
    let store = try StoreDescription(reading: connection, schema: "merged")
    guard let model = store.cachedModel else {
      throw MigrationError.verificationFailed(path, findings: store.problems)
    }
    let failures = try StoreCheck(store, files: files, schema: "merged")
      .findings(connection).filter { $0.severity == .failure }
    let old = try StoreDescription(reading: connection, schema: Replay.oldSchema)
    let known =
      failures.isEmpty
      ? [] : try StoreCheck(old, files: files, schema: Replay.oldSchema).findings(connection)
    let new = failures.filter { failure in !known.contains { $0.message == failure.message } }
    guard new.isEmpty else {
      throw MigrationError.verificationFailed(path, findings: new.map(\.message))
    }
    let layout = StoreLayout(model, joinTableNames: store.tableNames)
    let hash = try ContentHash(layout: layout, store: store, schema: "merged").value(connection)
    try connection.detach("merged")
    return hash
  }
}
