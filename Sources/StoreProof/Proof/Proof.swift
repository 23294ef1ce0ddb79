import OutboxFormat
package import Platform
package import SQLite
package import StoreFormat
import StoreModel
package import Migrations
package import RowRewriting
package import OutboxConversion

/// Proves a new store before it takes the old one's place.
package struct Proof {
  package let program: StoreProgram
  package let source: StoreDescription
  package let target: ModelVersion
  package let files: StoreFiles

  /// The files that name the outbox rows which aren't in the new store.
  package let setAside: SetAside

  package init(
    program: StoreProgram, source: StoreDescription, target: ModelVersion, files: StoreFiles,
    setAside: SetAside
  ) {
    self.program = program
    self.source = source
    self.target = target
    self.files = files
    self.setAside = setAside
  }

  /// What the proof found.
  package struct Result {
    package let ledger: [LedgerEntry]

    /// The logical hash of the old store.
    package let contentBefore: String

    /// The logical hash of the new one.
    package let contentHash: String

    /// The hashes of the new file, as it will be with the header that it gets.
    package let fileHashes: FileHashes

    /// What became of the rows of an outbox that the app delivers; `nil` for other stores.
    package let delivery: DeliveryCounts?
  }

  /// The name under which the new store is attached.
  private static let schema = "proof"

  /// Checks the new store alone and against the old one, at the same time.
  ///
  /// The new store, which nobody writes, is read through further connections as well, and so is the old
  /// one where it has all in one file: a thread with nothing left to do takes what the other hasn't begun.
  ///
  /// - Parameters:
  ///   - work: The path of the new store.
  ///   - header: The beginning of the file as it will be.
  ///   - connection: The connection to the old store.
  ///   - helper: Another one, for the second thread; `nil` if there can't be one.
  ///   - path: The path of the store, as it was typed.
  /// - Returns: What was found.
  /// - Throws: ``MigrationError/verificationFailed(_:findings:)`` if anything doesn't hold.
  package func prove(
    _ work: String, header: [UInt8], against connection: borrowing Connection,
    helper: SharedConnection?, typed path: String
  ) throws -> Result {
    let outcome: Result
    do {
      try connection.attach(path: work, as: Self.schema, mode: .immutable)
      outcome = try check(work, header: header, connection, helper: helper, typed: path)
    } catch {
      try? connection.detach(Self.schema)
      throw error.ofUnreadableFile.map {
        VerificationError(path, findings: ["the new file can't be read: \($0)"])
      } ?? error
    }
    try connection.detach(Self.schema)
    return outcome
  }

  private func check(
    _ work: String, header: [UInt8], _ connection: borrowing Connection,
    helper: SharedConnection?, typed path: String
  ) throws -> Result {
    let examination = try examine(work, header: header, connection, helper: helper, typed: path)
    let (store, ledger) = (examination.store, examination.ledger)
    let findings = try findings(of: examination, connection)
    guard findings.isEmpty else {
      throw VerificationError(path, findings: findings.map(\.message))
    }
    return Result(
      ledger: ledger.entries,
      contentBefore: try ContentHash(layout: program.sourceLayout, store: source, schema: "main")
        .value(connection, knowing: ledger.digests.old),
      contentHash: try ContentHash(layout: program.targetLayout, store: store, schema: Self.schema)
        .value(connection, knowing: ledger.digests.new),
      fileHashes: examination.fileHashes, delivery: ledger.delivery)
  }

  /// What was read of the new store, alone and beside the old one.
  private struct Examination {
    let store: StoreDescription
    let ledger: Ledger.Result

    /// The failures of the new store alone.
    let failures: [Finding]
    let fileHashes: FileHashes
  }

  /// Reads the new store on two threads.
  private func examine(
    _ work: String, header: [UInt8], _ connection: borrowing Connection,
    helper: SharedConnection?, typed path: String
  ) throws -> Examination {
    let described = SharedPiece { try Self.description(of: work, target, typed: path) }
    let account = LedgerAccount(
      Ledger(
        program: program, store: source, sourceSchema: "main", targetSchema: { _ in Self.schema },
        setAside: setAside))
    let content = SharedPiece { [files] in
      try StoreCheck(described.outcome(), files: files)
        .contentFindings(Connection(path: work, mode: .immutable))
    }
    let hashes = SharedPiece { try FileDescriptor(opening: work).hashes(replacingHeader: header) }
    let (_, damage) = try concurrently(
      {
        try account.keep(.all, connection)
        content.runIfFree()
        hashes.runIfFree()
      },
      {
        // The disk writes the new file while it is compared.
        try FileDescriptor(opening: work).beginWriting()
        described.runIfFree()
        let damage = try StoreCheck.integrityFindings(Connection(path: work, mode: .immutable))
        try helper?.withConnection { try Self.help(with: account, $0, work) }
        content.runIfFree()
        hashes.runIfFree()
        return damage
      })
    return try Examination(
      store: described.outcome(), ledger: account.result(),
      failures: (damage + content.outcome()).filter { $0.severity == .failure },
      fileHashes: hashes.outcome())
  }

  /// Everything that keeps the new store from taking the old one's place.
  private func findings(
    of examination: Examination, _ connection: borrowing Connection
  ) throws -> [Finding] {
    var findings = try newOnes(among: examination.failures, connection)
    if examination.store.metadata?.hashes != target.hashes {
      findings.append(Finding(.hashes, "the hashes don't match \(target.name)"))
    }
    findings += examination.ledger.findings
    // Rows that the app itself wrote are carried, whatever it does with them.
    if let (rows, _) = program.delivery, !rows.sourceProperties.contains("entityID"),
      let check = QueueCheck(program.targetLayout, schema: Self.schema)
    {
      findings += try check.forecast(connection).failures
    }
    return findings
  }

  /// What the new store says of itself: that it has the target's model.
  private static func description(
    of work: String, _ target: ModelVersion, typed path: String
  ) throws -> StoreDescription {
    let description = try StoreDescription(reading: Connection(path: work, mode: .immutable))
    guard description.cachedModel?.entities == target.model.entities || target.capturedCache != nil
    else {
      throw VerificationError(
        path, findings: ["the model cache doesn't hold the model of \(target.name)"])
    }
    return description
  }

  private static func help(
    with account: LedgerAccount, _ connection: borrowing Connection, _ work: String
  ) throws {
    try connection.keepLittleInMemory()
    try connection.attach(path: work, as: schema, mode: .immutable)
    try account.keep(.shared, connection)
    try connection.detach(schema)
  }

  /// What the new store fails in and the old one didn't.
  ///
  /// A row that the app left without a mandatory value, say, is carried as it is.
  private func newOnes(
    among failures: [Finding], _ connection: borrowing Connection
  ) throws -> [Finding] {
    if failures.isEmpty { return [] }
    var known = KnownFailures()
    try known.add(source, schema: "main", through: program, files: files, connection)
    return failures.filter { !known.cover($0) }
  }
}

extension Error {
  /// What is wrong with a file that was just written and can't be read, in words.
  ///
  /// `nil` if something else failed.
  ///
  /// The old store was read whole before: the fault isn't its own.
  fileprivate var ofUnreadableFile: String? {
    switch self {
    case let error as SQLiteError: error.ofUnreadableFile
    case let error as StoreFormatError:
      if case .sqlite(let cause) = error { cause.ofUnreadableFile } else { "\(error)" }
    default: nil
    }
  }
}

extension SQLiteError {
  /// Pages that don't belong together, or tables and columns that aren't there.
  fileprivate var ofUnreadableFile: String? {
    isCorrupt || isNotADatabase || primaryCode == 1 ? message : nil
  }
}
