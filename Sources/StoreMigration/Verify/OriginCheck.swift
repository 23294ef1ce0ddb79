import Platform
import SQLite
import StoreFormat
import StoreModel

/// Checks a store against the snapshot that it was made from, leaving both as they are.
///
/// The store's content is that which the run left, or it was written to since. In the first case the
/// ledger is kept of snapshot and store; in the second of the snapshot and the base that ``Replay``
/// makes again, which then tells what was written since.
struct OriginCheck: Sendable {
  let origin: Origin
  let path: String
  let files: StoreFiles
  let store: StoreDescription
  let model: Model
  let catalog: Catalog

  /// A Boolean value indicating whether another process may write while the store is read.
  let isShared: Bool

  /// A Boolean value indicating whether to say what was written since.
  let comparesReceipt: Bool

  /// What of the snapshot isn't what was kept, which whoever has nothing else to do finds out.
  let snapshotProblem: SharedPiece<String?>

  /// What was found.
  struct Outcome: Sendable {
    /// The checks that were made.
    var checked: [Finding.Check] = []

    /// What isn't as it should be, of these and other checks.
    var findings: [Finding] = []

    /// What a check that passed has to say.
    var details: [Finding.Check: String] = [:]

    /// A Boolean value indicating whether the store's content is that which the run left.
    var isUnchanged = false

    /// The comparison with the receipt, where it was asked for.
    var comparison: ReceiptComparison?
  }

  private static let presentSchema = "present"

  private var receipt: Receipt { origin.receipt }

  func outcome() throws -> Outcome {
    var outcome = Outcome(checked: [.snapshot])
    let connection = try Connection(path: "", mode: .temporary)
    try connection.execute("PRAGMA temp_store = FILE; PRAGMA cache_size = -8192")
    try connection.attach(
      path: files.path, as: Self.presentSchema, mode: isShared ? .readOnly : .readOnlyUnshared)
    let attempt = Result { try self.trial(connection) }
    let problem = try snapshotProblem.outcome()
    // What a snapshot says that isn't what was kept doesn't count.
    let trial = problem == nil ? try attempt.get() : nil
    let layout = StoreLayout(model, joinTableNames: store.tableNames)
    let isUnchanged =
      try ContentHash(layout: layout, store: store, schema: Self.presentSchema)
      .value(connection, knowing: trial?.digests.new ?? [:]) == receipt.contentHash
    outcome.isUnchanged = isUnchanged
    var changes: [EntityChange]? = isUnchanged ? [] : nil
    if let problem {
      outcome.findings.append(Finding(.snapshot, "'\(origin.snapshot.name)': \(problem)"))
    } else if receipt.kind != .rollback {
      do throws(MigrationError) {
        try replay(isUnchanged: isUnchanged, trial, connection, &outcome, &changes)
      } catch {
        guard case .cannotReplay(_, let reason) = error else { throw error }
        // A ledger that doesn't add up says more.
        if !outcome.findings.contains(where: { $0.check == .ledger }) {
          outcome.checked.removeAll { $0 == .ledger }
        }
        outcome.findings.append(cannotTell(reason))
      }
    } else if !isUnchanged && comparesReceipt {
      outcome.findings.append(
        Finding(
          .receipt, "what was written since a rollback can't be told by entity", severity: .warning)
      )
    }
    if comparesReceipt {
      outcome.checked.append(.receipt)
      outcome.comparison = try comparison(isUnchanged: isUnchanged, changes)
    }
    return outcome
  }

  /// Who asked for the receipt's comparison is owed it; to others a migration that isn't at hand is no
  /// fault of the store.
  private func cannotTell(_ reason: String) -> Finding {
    Finding(
      comparesReceipt ? .receipt : .ledger,
      "what the migration did can't be done again to account for every value: \(reason)",
      severity: comparesReceipt ? .failure : .warning)
  }

  private func comparison(
    isUnchanged: Bool, _ changes: [EntityChange]?
  ) throws -> ReceiptComparison {
    ReceiptComparison(
      snapshot: origin.snapshot.path(beside: path), kind: receipt.kind, from: receipt.from,
      to: receipt.to, time: receipt.time, tool: receipt.tool, isUnchanged: isUnchanged,
      changes: changes, files: try origin.fileChanges(files))
  }
}

// MARK: - The ledger, and what was written since

extension OriginCheck {
  /// Keeps the ledger of snapshot and store as if nothing had been written since: whether that is so shows
  /// by the digests that it makes on the way.
  ///
  /// - Returns: What it found; none where it wouldn't count even so.
  private func trial(_ connection: borrowing Connection) throws -> Ledger.Result? {
    // A store in use may change while it is read.
    guard receipt.kind == .apply, !isShared else { return nil }
    do throws(MigrationError) {
      let replay = try attachedReplay(connection)
      // What was parked and came back isn't in the snapshot: only the base is before that.
      return replay.returned.isEmpty
        ? try ledger(replay, connection) { _ in Self.presentSchema } : nil
    } catch {
      // It is said where the ledger is missed.
      guard case .cannotReplay = error else { throw error }
      return nil
    }
  }

  private func attachedReplay(
    _ connection: borrowing Connection
  ) throws(MigrationError) -> Replay {
    do {
      let schemas = try connection.rows("PRAGMA database_list").map { $0[1].string }
      if !schemas.contains(Replay.oldSchema) {
        try connection.attach(
          path: origin.snapshot.mainFile, as: Replay.oldSchema, mode: .immutable)
      }
      return try Replay(
        receipt, of: origin.snapshot, present: model, catalog: catalog, connection)
    } catch {
      throw MigrationError(wrapping: error, path: path)
    }
  }

  /// Accounts for every value of the snapshot; a trial's ledger counts if the store is as it was left.
  private func replay(
    isUnchanged: Bool, _ trial: Ledger.Result?, _ connection: borrowing Connection,
    _ outcome: inout Outcome, _ changes: inout [EntityChange]?
  ) throws(MigrationError) {
    do {
      let replay = try attachedReplay(connection)
      if receipt.kind == .edit {
        return try compareEdit(replay, isUnchanged: isUnchanged, connection, &outcome, &changes)
      }
      outcome.checked.append(.ledger)
      if isUnchanged, let trial {
        enter(trial, into: &outcome)
        return
      }
      try replay.write(connection)
      enter(try ledger(replay, connection, replay.schema(of:)), into: &outcome)
      try replay.complete(
        connection, expecting: receipt.contentHash, snapshot: origin.snapshot.name)
      if isUnchanged { return }
      outcome.details[.ledger, default: ""] += "; the store was written to since"
      try compare(replay, connection, &outcome, &changes)
    } catch {
      throw MigrationError(wrapping: error, path: path)
    }
  }

  /// An edit's rows were compared when they were written; the content's hash says that they are the same.
  private func compareEdit(
    _ replay: Replay, isUnchanged: Bool, _ connection: borrowing Connection,
    _ outcome: inout Outcome, _ changes: inout [EntityChange]?
  ) throws {
    if isUnchanged { return }
    try replay.make(
      connection, expecting: receipt.contentHash, snapshot: origin.snapshot.name)
    try compare(replay, connection, &outcome, &changes)
  }

  /// Finds what was written since the base.
  private func compare(
    _ replay: Replay, _ connection: borrowing Connection, _ outcome: inout Outcome,
    _ changes: inout [EntityChange]?
  ) throws {
    outcome.findings += try RowCheck(store, model: model, schema: Self.presentSchema)
      .newDanglingLinks(since: replay.schema(of:), connection)
    guard comparesReceipt else { return }
    changes = try LaterChanges(replay: replay, store: store, schema: Self.presentSchema)
      .changes(connection)
  }

  private func ledger(
    _ replay: Replay, _ connection: borrowing Connection,
    _ schema: @escaping @Sendable (String) -> String
  ) throws(MigrationError) -> Ledger.Result {
    do {
      return try Ledger(
        program: replay.program, store: replay.old, sourceSchema: Replay.oldSchema,
        targetSchema: schema, scope: .content, setAside: SetAside(origin.snapshot)
      ).result(connection)
    } catch {
      throw MigrationError(wrapping: error, path: path)
    }
  }

  private func enter(_ result: Ledger.Result, into outcome: inout Outcome) {
    outcome.findings += result.findings
    let values = result.entries.reduce(0) { $0 + $1.rows }
    let aside = result.entries.reduce(0) { $0 + $1.setAside }
    outcome.details[.ledger] =
      counted(values, "value", "values") + " accounted for"
      + (aside > 0 ? ", \(aside) of them set aside" : "")
  }
}
