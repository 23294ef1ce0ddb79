import StoreExchange
import Platform
import SQLite
import StoreFormat
import StoreModel
import OutboxConversion
import StoreProof

/// Checks a store against the snapshot that it was made from, without changing either.
///
/// If the store's content is what the run left, the ledger compares the snapshot with the store. If
/// the store was written to since, the ledger compares the snapshot with the base, which ``Replay``
/// makes; a comparison of base and store then shows what was written since.
struct OriginCheck: Sendable {
  let stores: OriginStores
  let store: StoreDescription

  /// Whether to report what was written since.
  let comparesReceipt: Bool

  /// How the snapshot differs from its receipt, computed by the thread that is idle first.
  private let snapshotProblem: SharedPiece<String?>

  /// The tables that are on the snapshot's pages, if a run left them there.
  private let pages: SharedPiece<CarriedPages?>

  /// The trial ledger of snapshot and store, which assumes that nothing was written since.
  ///
  /// Two threads may share its work.
  private let trialAccount: SharedPiece<LedgerAccount?>

  init(_ stores: OriginStores, _ store: StoreDescription, comparesReceipt: Bool) {
    (self.stores, self.store, self.comparesReceipt) = (stores, store, comparesReceipt)
    snapshotProblem = SharedPiece { try stores.origin.snapshot.problem(stores.origin.receipt) }
    let pages = SharedPiece { try stores.carriedPages() }
    self.pages = pages
    trialAccount = SharedPiece { try stores.trialAccount(pages) }
  }

  /// What was found.
  struct Outcome: Sendable {
    /// The checks that were made.
    var checked: [Finding.Check] = []

    /// The failures and warnings, of these and other checks.
    var findings: [Finding] = []

    /// The details of checks that passed.
    var details: [Finding.Check: String] = [:]

    /// The reasons why checks couldn't be made.
    var unchecked: [Finding.Check: String] = [:]

    /// Whether the store's content is what the run left.
    var isUnchanged = false

    /// The comparison with the receipt, if it was requested.
    var comparison: ReceiptComparison?
  }

  private var origin: Origin { stores.origin }
  private var receipt: Receipt { stores.origin.receipt }

  /// Returns the tables that are on the snapshot's pages; `nil` if that isn't known of any.
  ///
  /// - Throws: An error if a file can't be read.
  func carriedPages() throws -> CarriedPages? {
    guard let pages = try pages.outcome(), try snapshotProblem.outcome() == nil else { return nil }
    return pages
  }

  /// Does work that the other thread hasn't begun.
  ///
  /// Errors are ignored here: the thread that needs the result throws them.
  func help() {
    if let account = try? trialAccount.outcome() {
      try? comparePieces(.shared, of: account)
    }
    snapshotProblem.runIfFree()
  }

  private func comparePieces(
    _ pieces: LedgerAccount.Pieces, of account: LedgerAccount
  ) throws {
    let connection = try stores.connect()
    try stores.attachSnapshot(connection)
    try account.comparePieces(pieces, connection)
  }

  /// Checks the store.
  ///
  /// - Parameter other: Work to do before waiting for the other thread.
  /// - Returns: What was found.
  /// - Throws: An error if a store can't be read.
  func outcome(meanwhile other: () -> Void) throws -> Outcome {
    var outcome = Outcome(checked: [.snapshot])
    let (problem, trial) = try trial(meanwhile: other)
    let connection = try stores.connect()
    let known = try isUnchanged(problem, trial, connection)
    let isUnchanged = known ?? false
    outcome.isUnchanged = isUnchanged
    if let pages = try carriedPages() {
      outcome.details[.integrity] =
        counted(pages.tables.count, "table has", "tables have")
        + " the snapshot's pages, so SQLite checked only the others; 'diagnose' checks all"
    }
    var changes: [EntityChange]? = isUnchanged ? [] : nil
    if let problem {
      outcome.findings.append(Finding(.snapshot, "'\(origin.snapshot.name)': \(problem)"))
    } else if receipt.kind != .rollback {
      do {
        try replay(isUnchanged: isUnchanged, trial, connection, &outcome, &changes)
      } catch RequestError.cannotReplay(_, let reason) {
        enterMissingLedger(reason, into: &outcome)
      }
    } else if !isUnchanged && comparesReceipt {
      outcome.findings.append(
        Finding(
          .receipt, "changes since a rollback can't be counted by entity", severity: .warning)
      )
    }
    guard comparesReceipt else { return outcome }
    outcome.checked.append(.receipt)
    if known == nil {
      outcome.unchecked[.receipt] =
        "the snapshot has the tables that the run left alone, and it isn't what the run kept"
    } else {
      outcome.comparison = try comparison(isUnchanged: isUnchanged, changes)
    }
    return outcome
  }

  /// Returns whether the store has the rows that the run left; `nil` if that can't be known.
  ///
  /// If the snapshot isn't what the run kept, it doesn't know the tables that the run left alone. Only
  /// the file's own hash does then, if it is equal.
  private func isUnchanged(
    _ problem: String?, _ trial: Ledger.Result?, _ connection: borrowing Connection
  ) throws -> Bool? {
    guard receipt.carried.isEmpty || problem == nil else {
      return try !stores.isShared && stores.files.isAsWritten(by: receipt) ? true : nil
    }
    if !receipt.carried.isEmpty { try stores.attachSnapshot(connection) }
    return try LeftRows(receipt).areIn(
      store, store.layout(of: stores.model),
      schema: OriginStores.presentSchema, oldSchema: Replay.oldSchema, connection,
      knowing: trial?.digests ?? ([:], [:]), equal: trial?.carried ?? [])
  }

  /// Notes that a migration can't be repeated.
  ///
  /// It is a failure if the comparison with the receipt was requested, else a check that wasn't made:
  /// the store isn't at fault if a migration is missing.
  private func enterMissingLedger(_ reason: String, into outcome: inout Outcome) {
    let message =
      "values can't be accounted for, because the migration can't be repeated: \(reason)"
    if comparesReceipt { outcome.findings.append(Finding(.receipt, message)) }
    // Findings of the ledger say more than that it wasn't completed.
    if outcome.findings.contains(where: { $0.check == .ledger }) { return }
    outcome.checked.removeAll { $0 == .ledger }
    if !comparesReceipt { outcome.unchecked[.ledger] = message }
  }

  /// Computes the trial ledger of snapshot and store.
  ///
  /// The ledger is discarded if the snapshot has a problem.
  private func trial(
    meanwhile other: () -> Void
  ) throws -> (problem: String?, ledger: Ledger.Result?) {
    // The other thread walks the pages, which the ledger waits for.
    snapshotProblem.runIfFree()
    let attempt = Result { () throws -> LedgerAccount? in
      guard let account = try trialAccount.outcome() else { return nil }
      try comparePieces(.all, of: account)
      return account
    }
    other()
    let problem = try snapshotProblem.outcome()
    return (problem, problem == nil ? try attempt.get()?.result() : nil)
  }

  private func comparison(
    isUnchanged: Bool, _ changes: [EntityChange]?
  ) throws -> ReceiptComparison {
    ReceiptComparison(
      snapshot: origin.snapshot.path(beside: stores.path), kind: receipt.kind, from: receipt.from,
      to: receipt.to, time: receipt.time, tool: receipt.tool, isUnchanged: isUnchanged,
      changes: changes, files: try receipt.fileChanges(stores.files))
  }
}

// MARK: - The ledger, and what was written since

extension OriginCheck {
  /// Accounts for every value of the snapshot, and finds what was written since.
  ///
  /// The trial ledger is used if the store is unchanged.
  private func replay(
    isUnchanged: Bool, _ trial: Ledger.Result?, _ connection: borrowing Connection,
    _ outcome: inout Outcome, _ changes: inout [EntityChange]?
  ) throws {
    if isUnchanged, let trial {
      outcome.checked.append(.ledger)
      enter(trial, into: &outcome)
      return
    }
    // A repair compared its rows when it wrote them, and can't be repeated.
    if receipt.kind == .repair, isUnchanged { return }
    let replay = try stores.replay(connection)
    if receipt.kind == .edit {
      return try compareEdit(replay, isUnchanged: isUnchanged, connection, &outcome, &changes)
    }
    outcome.checked.append(.ledger)
    try replay.write(connection)
    enter(
      try stores.ledger(replay, replay.schema(of:)).result(connection), into: &outcome)
    try replay.complete(connection, expecting: receipt, snapshot: origin.snapshot.name)
    if isUnchanged { return }
    outcome.details[.ledger, default: ""] += "; the store has changed since"
    try compare(replay, connection, &outcome, &changes)
  }

  /// Finds what was written since an edit.
  ///
  /// There is no ledger: the edit compared its rows when it wrote them, and the hash of the content
  /// shows that they are the same.
  private func compareEdit(
    _ replay: Replay, isUnchanged: Bool, _ connection: borrowing Connection,
    _ outcome: inout Outcome, _ changes: inout [EntityChange]?
  ) throws {
    if isUnchanged { return }
    try replay.make(connection, expecting: receipt, snapshot: origin.snapshot.name)
    try compare(replay, connection, &outcome, &changes)
  }

  /// Compares the store with the base: new dangling links, and all changes if they were requested.
  private func compare(
    _ replay: Replay, _ connection: borrowing Connection, _ outcome: inout Outcome,
    _ changes: inout [EntityChange]?
  ) throws {
    outcome.findings += try RowCheck(store, model: stores.model, schema: OriginStores.presentSchema)
      .newDanglingLinks(since: replay.schema(of:), connection)
    guard comparesReceipt else { return }
    changes = try LaterChanges(replay: replay, store: store, schema: OriginStores.presentSchema)
      .changes(connection)
  }

  private func enter(_ result: Ledger.Result, into outcome: inout Outcome) {
    outcome.findings += result.findings
    let values = result.entries.reduce(0) { $0 + $1.rows }
    let aside = result.entries.reduce(0) { $0 + $1.setAside }
    outcome.details[.ledger] =
      counted(values, "value", "values") + " accounted for"
      + (aside > 0 ? ", \(aside.grouped) of them set aside" : "")
  }
}
