import StoreExchange
import StoreAccess
import Platform
import SQLite
import StoreFormat
import StoreModel
import Migrations
import RowRewriting
import StoreProof

/// An open store and its schema name.
struct StoreView {
  let store: StoreDescription
  let schema: String
}

extension RollbackRun {
  /// Reports what a rollback would do, without writing anything.
  func look() throws -> Outcome {
    try snapshot.check(receipt)
    try files.checkExternalData(typed: path)
    let connection = try Connection(path: "", mode: .temporary, followingLinks: false)
    try connection.keepLittleInMemory()
    if try files.isAsWritten(by: receipt) { return try lookAtFileAsWritten(connection) }
    let inspection = try StoreInspection(path: path, catalog: catalog)
    try connection.attach(
      path: files.path, as: "present",
      mode: inspection.isShared ? .readOnly : .readOnlyUnshared)
    let view = StoreView(store: inspection.store, schema: "present")
    var outcome = try look(at: view, connection)
    guard !outcome.isAsLeft, laterWrites == .keep else {
      return outcome
    }
    try connection.attach(path: "", as: NewStore.schema, mode: .temporary)
    var parking: ParkingFile?
    try merge(view, connection, &outcome, &parking)
    outcome.isExact = false
    return outcome
  }

  /// Attaches the snapshot, and finds what was written to the store since.
  ///
  /// - Parameters:
  ///   - present: The present store, or why it can't be described.
  ///   - connection: The connection that has it open.
  ///   - isAsWritten: Whether the store's file is the one that the run wrote; nothing of it is read
  ///     then.
  /// - Returns: The outcome, with what was written since.
  /// - Throws: ``RequestError/laterChanges(_:since:)`` if something was written and `laterWrites` is
  ///   `nil`.
  func look(
    at present: Result<StoreDescription, any Error>, _ connection: borrowing Connection,
    isAsWritten: Bool
  ) throws -> Outcome {
    // Such a store may be torn: a rollback of a repair left it so.
    if isAsWritten { return try lookAtFileAsWritten(connection) }
    return try look(at: StoreView(store: present.get(), schema: "main"), connection)
  }

  private func look(at view: StoreView, _ connection: borrowing Connection) throws -> Outcome {
    let isWhereLeft = view.store.metadata?.hashes?.digest == receipt.digest
    guard let model = view.store.cachedModel,
      StructureCheck(view.store, model: model).disagreements.isEmpty, isWhereLeft
    else { return try lookAtOther(view, connection) }
    try connection.attach(snapshot.mainFile, as: Replay.oldSchema, mode: .immutable)
    var outcome = try outcome(from: name(of: view.store), connection)
    let isAsLeft = try LeftRows(receipt).areIn(
      view.store, view.store.layout(of: model), schema: view.schema,
      oldSchema: Replay.oldSchema, connection)
    if isAsLeft {
      outcome.setAsLeft(by: receipt)
      return outcome
    }
    try hash(view, isTorn: false, connection, &outcome)
    do {
      outcome.changes = try changes(of: view, model, connection)
    } catch RequestError.cannotReplay where laterWrites == .discard {
      // Changes that are discarded needn't be counted.
    }
    guard laterWrites == .discard || !view.store.isMirrored else {
      throw RequestError.mirroredChanges(outcome.changes)
    }
    guard laterWrites != nil else {
      throw RequestError.laterChanges(outcome.changes, since: receipt.commandAtSameVersion)
    }
    return outcome
  }

  private func lookAtFileAsWritten(_ connection: borrowing Connection) throws -> Outcome {
    try connection.attach(snapshot.mainFile, as: Replay.oldSchema, mode: .immutable)
    var outcome = try outcome(from: receipt.to, connection)
    outcome.setAsLeft(by: receipt)
    return outcome
  }

  /// Returns the outcome for a store that is torn, or not at the version that the run left.
  ///
  /// Such a store can be rolled back only by discarding its content.
  private func lookAtOther(
    _ view: StoreView, _ connection: borrowing Connection
  ) throws -> Outcome {
    let disagreements =
      view.store.cachedModel.map {
        StructureCheck(view.store, model: $0).disagreements.map(\.message)
      } ?? view.store.problems
    guard laterWrites == .discard else {
      throw disagreements.isEmpty
        ? RequestError.notThere(path, expected: receipt.to)
        : RequestError.tornSince(path, findings: disagreements)
    }
    try connection.attach(snapshot.mainFile, as: Replay.oldSchema, mode: .immutable)
    var outcome = try outcome(from: name(of: view.store), connection)
    try hash(view, isTorn: !disagreements.isEmpty, connection, &outcome)
    return outcome
  }

  /// Returns the beginning of an outcome; the snapshot is attached.
  private func outcome(
    from name: String, _ connection: borrowing Connection
  ) throws -> Outcome {
    var outcome = Outcome()
    outcome.from = name
    do throws(StoreFormatError) {
      let old = try StoreDescription(reading: connection, schema: Replay.oldSchema)
      outcome.digest = old.metadata?.hashes?.digest ?? ""
    } catch {
      // What a repair mended, and a rollback brought back, may lack tables or have damaged ones.
      guard [.repair, .rollback].contains(receipt.kind) else { throw error }
    }
    return outcome
  }

  /// Adds the hashes of all rows, of a store that isn't as the run left it and of the snapshot.
  private func hash(
    _ view: StoreView, isTorn: Bool, _ connection: borrowing Connection, _ outcome: inout Outcome
  ) throws {
    outcome.contentBefore = try contentHash(of: view, isTorn: isTorn, connection)
    guard !receipt.carried.isEmpty else {
      outcome.contentAfter = receipt.contentBefore
      return
    }
    let old = try StoreDescription(reading: connection, schema: Replay.oldSchema)
    let kept = StoreView(store: catalog.completing(old), schema: Replay.oldSchema)
    outcome.contentAfter = try contentHash(of: kept, isTorn: false, connection)
  }

  /// Returns the content hash of a store's rows; for a torn store a text that equals no hash.
  private func contentHash(
    of view: StoreView, isTorn: Bool, _ connection: borrowing Connection
  ) throws -> String {
    guard let model = view.store.cachedModel, !isTorn else { return "torn" }
    let layout = view.store.layout(of: model)
    return try ContentHash(layout: layout, store: view.store, schema: view.schema)
      .value(connection)
  }

  private func changes(
    of view: StoreView, _ model: Model, _ connection: borrowing Connection
  ) throws -> [EntityChange] {
    let replay = try Replay(receipt, of: snapshot, present: model, catalog: catalog, connection)
    try replay.make(connection, expecting: receipt, snapshot: snapshot.name)
    return try LaterChanges(replay: replay, store: view.store, schema: view.schema)
      .changes(connection)
  }

  /// Writes the merged store into the attached file; the base is attached already.
  func merge(
    _ view: StoreView, _ connection: borrowing Connection, _ outcome: inout Outcome,
    _ parking: inout ParkingFile?
  ) throws {
    let merged = try mergedStore(view, connection).write(connection, parking: &parking)
    // The parked values must be on the disk before the receipt is (g).
    try parking?.synchronize()
    outcome.merged = merged.merged
    outcome.parked = merged.parked
    outcome.emptied = merged.emptied
    outcome.replaced = merged.replaced
  }

  /// Checks the merged store alone, and returns the content hash of its rows.
  func check(
    _ work: NestedFile, against view: StoreView, _ connection: borrowing Connection
  ) throws -> String {
    try WorkFileCheck(path: path, files: files).contentHash(of: work, connection) { failures in
      var known = KnownFailures(explaining: failures)
      let old = try catalog.completing(
        StoreDescription(reading: connection, schema: Replay.oldSchema))
      try known.add(old, schema: Replay.oldSchema, files: files, connection)
      let merged = try mergedStore(view, connection)
      try known.add(
        view.store, schema: view.schema, through: merged.program, files: files, connection)
      return known
    }
  }

  private func mergedStore(
    _ view: StoreView, _ connection: borrowing Connection
  ) throws -> MergedStore {
    guard let model = view.store.cachedModel else {
      throw VersionError.torn(path, findings: view.store.problems)
    }
    let replay = try Replay(receipt, of: snapshot, present: model, catalog: catalog, connection)
    do {
      return try MergedStore(
        replay, present: view.store, schema: view.schema, catalog: catalog)
    } catch let error as LineageError {
      throw hasNoInverse(error)
    } catch let error as ProgramError {
      // Tables that were one can't become one again: their new rows may have equal keys.
      throw hasNoInverse(error)
    }
  }

  private func hasNoInverse(_ error: some Error) -> RequestError {
    .cannotReplay(snapshot.name, reason: "the migration has no inverse (\(error))")
  }
}

extension RollbackRun.Outcome {
  /// Notes that the store has the rows that the run left.
  fileprivate mutating func setAsLeft(by receipt: Receipt) {
    isAsLeft = true
    contentBefore = receipt.contentHash
    contentAfter = receipt.contentBefore
    carried = receipt.carried
  }
}
