import StoreAccess
import StoreModel
package import Platform
package import SQLite
package import StoreFormat
package import Migrations
package import RowRewriting
package import OutboxConversion

/// Proves a new store before it replaces the old one.
package struct Proof {
  package let program: StoreProgram
  package let source: StoreDescription
  package let target: ModelVersion
  package let files: StoreFiles

  /// The files that list the outbox rows that aren't in the new store.
  ///
  /// `nil` if there are no such files, because the new store is only for a plan.
  package let setAside: SetAside?

  /// How the new store was made of a copy of the old file; `nil` if it is in a new file.
  package let copied: CopiedFile?

  package init(
    program: StoreProgram, source: StoreDescription, target: ModelVersion, files: StoreFiles,
    setAside: SetAside?, copied: CopiedFile? = nil
  ) {
    self.program = program
    self.source = source
    self.target = target
    self.files = files
    self.setAside = setAside
    self.copied = copied
  }

  /// The result of a proof.
  package struct Result {
    package let ledger: [LedgerEntry]

    /// The content hash of the old store, without ``carried``.
    package let contentBefore: String

    /// The content hash of the new store, without ``carried``.
    package let contentHash: String

    /// The tables of both contents that are on their old pages, in alphabetical order.
    package let carried: [String]

    /// The hash of the new file with the header that it will get.
    package let fileHash: String

    /// The outcomes of the rows of a deliverable outbox; `nil` for other stores.
    package let delivery: DeliveryCounts?
  }

  /// The schema under which the new store is attached.
  static let schema = "proof"

  /// Checks the new store alone and against the old one, on two threads.
  ///
  /// No process writes to the new store, so several connections read it. The old store is also read
  /// through two, if it has no log. A thread that has finished takes pieces that the other hasn't
  /// started.
  ///
  /// - Parameters:
  ///   - work: The new store.
  ///   - header: The beginning of the file as it will be.
  ///   - connection: The connection to the old store.
  ///   - secondConnection: Another connection to the old store, for the second thread; `nil` if
  ///     there can't be one.
  ///   - path: The path of the store, as the user typed it.
  /// - Returns: The ledger, the hashes, and the outcomes of outbox rows.
  /// - Throws: A ``VerificationError`` if a check fails or the new file can't be read;
  ///   ``DamagedOriginal`` if a copy can't be proven and the old file is damaged.
  package func prove(
    _ work: NestedFile, header: [UInt8], against connection: borrowing Connection,
    secondConnection: SharedConnection?, typed path: String
  ) throws -> Result {
    let outcome: Result
    do {
      try connection.attach(work, as: Self.schema, mode: .immutable)
      outcome = try check(
        work, header: header, connection, secondConnection: secondConnection, typed: path)
    } catch {
      try? connection.detach(Self.schema)
      if error.ofUnreadableFile != nil { try checkOriginal(connection) }
      throw error.ofUnreadableFile.map {
        VerificationError(path, findings: ["the new file can't be read: \($0)"])
      } ?? error
    }
    try connection.detach(Self.schema)
    return outcome
  }

  private func check(
    _ work: NestedFile, header: [UInt8], _ connection: borrowing Connection,
    secondConnection: SharedConnection?, typed path: String
  ) throws -> Result {
    let examination = try examine(
      work, header: header, connection, secondConnection: secondConnection, typed: path)
    let (store, ledger) = (examination.store, examination.ledger)
    if !examination.pages.isEmpty { try checkOriginal(connection) }
    let findings = try reasons(
      examination.failures, of: store, examination.pages + ledger.findings, in: Self.schema,
      from: "main", connection)
    guard findings.isEmpty else { throw VerificationError(path, findings) }
    let carried = carriedContent(of: store)
    return Result(
      ledger: ledger.entries,
      contentBefore: try ContentHash(
        layout: program.sourceLayout, store: source, schema: "main", leavingOut: carried
      ).value(connection, knowing: ledger.digests.old),
      contentHash: try ContentHash(
        layout: program.targetLayout, store: store, schema: Self.schema, leavingOut: carried
      ).value(connection, knowing: ledger.digests.new),
      carried: carried.sorted(),
      fileHash: examination.fileHash, delivery: ledger.delivery)
  }

  /// Returns the tables on their old pages that belong to the content of both stores.
  private func carriedContent(of store: StoreDescription) -> Set<String> {
    guard let tables = copied?.plan.carriedTables else { return [] }
    let old = ContentHash(layout: program.sourceLayout, store: source, schema: "main")
    let new = ContentHash(layout: program.targetLayout, store: store, schema: Self.schema)
    return tables.intersection(old.tables).intersection(new.tables)
  }

  /// Throws ``DamagedOriginal`` if the new file is a copy and the old file is damaged.
  private func checkOriginal(_ connection: borrowing Connection) throws {
    guard copied != nil, try !connection.integrityCheck(limit: 1).isEmpty else { return }
    throw DamagedOriginal()
  }

  /// The results of reading the new store alone and beside the old one.
  private struct Examination {
    let store: StoreDescription
    let ledger: Ledger.Result

    /// The failures of the new store alone.
    let failures: [Finding]

    /// The findings about the pages of a copied file.
    let pages: [Finding]
    let fileHash: String
  }

  /// Reads the new store on two threads.
  private func examine(
    _ work: NestedFile, header: [UInt8], _ connection: borrowing Connection,
    secondConnection: SharedConnection?, typed path: String
  ) throws -> Examination {
    let described = SharedPiece { try Self.description(of: work, target, typed: path) }
    let pages = try copied.map { try PageProof($0, work, connection) }
    let audit = SharedPiece { try pages?.outcome() ?? PageProof.Outcome() }
    let account = LedgerAccount(ledger(audit))
    let content = SharedPiece { [self] in
      let store = try described.outcome()
      return try StoreCheck(store, files: files, besides: keptRules(of: store))
        .contentFindings(Connection.open(work, mode: .immutable))
    }
    let hash = SharedPiece { try work.open().hash(replacingHeader: header) }
    let (_, damage) = try concurrently(
      {
        try account.comparePieces(.all, connection)
        audit.runIfFree()
        content.runIfFree()
        hash.runIfFree()
      },
      {
        // The disk can write the new file while it is compared.
        try work.open().beginWriting()
        described.runIfFree()
        let damage = try Self.integrityFindings(of: work, pages)
        // The other thread walks the pages, which the ledger of carried tables waits for.
        if pages != nil { hash.runIfFree() }
        try secondConnection?.withConnection { try Self.help(with: account, $0, work) }
        content.runIfFree()
        hash.runIfFree()
        return damage
      })
    return try Examination(
      store: described.outcome(), ledger: account.result(),
      failures: (damage + content.outcome()).filter { $0.severity == .failure },
      pages: audit.outcome().findings, fileHash: hash.outcome())
  }

  /// Returns the ledger, which takes the numbers of carried rows from the walk over the pages.
  private func ledger(_ audit: SharedPiece<PageProof.Outcome>) -> Ledger {
    Ledger(
      program: program, store: source, sourceSchema: "main", targetSchema: { _ in Self.schema },
      setAside: setAside,
      carriedOnPages: copied.map { copied in
        // If the pages prove nothing, the run fails: the number doesn't matter.
        CarriedPages(tables: copied.plan.carriedTables, trees: copied.plan.carriedTrees) {
          try audit.outcome().rows[$0] ?? 0
        }
      })
  }

  /// Returns the rules that needn't be checked again in a copy of the old file.
  private func keptRules(of store: StoreDescription) -> KeptRules? {
    guard let copied, let before = source.cachedModel, let after = store.cachedModel else {
      return nil
    }
    return KeptRules(
      of: copied.plan.carriedTables, from: (source, before), to: (store, after))
  }

  /// Returns the findings of SQLite's check of the whole file; of a copy, of what was written.
  private static func integrityFindings(
    of work: NestedFile, _ pages: PageProof?
  ) throws -> [Finding] {
    let connection = try Connection.open(work, mode: .immutable)
    return try pages?.integrityFindings(connection) ?? StoreCheck.integrityFindings(connection)
  }

  /// Returns the description of the new store, which must have the target's model.
  private static func description(
    of work: NestedFile, _ target: ModelVersion, typed path: String
  ) throws -> StoreDescription {
    let description = try StoreDescription(reading: Connection.open(work, mode: .immutable))
    guard description.cachedModel?.entities == target.model.entities || target.capturedCache != nil
    else {
      throw VerificationError(
        path, findings: ["the model cache doesn't contain the model of \(target.name)"])
    }
    return description
  }

  /// Compares pieces of the ledger on the second connection to the old store.
  private static func help(
    with account: LedgerAccount, _ connection: borrowing Connection, _ work: NestedFile
  ) throws {
    try connection.keepLittleInMemory()
    try connection.attach(work, as: schema, mode: .immutable)
    try account.comparePieces(.shared, connection)
    try connection.detach(schema)
  }
}

extension Error {
  /// A message if a file that was just written can't be read; `nil` if something else failed.
  ///
  /// The old store was completely read before, so the fault isn't in the old store.
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
  /// The message if pages are inconsistent or tables or columns are missing, else `nil`.
  fileprivate var ofUnreadableFile: String? {
    isCorrupt || isNotADatabase || primaryCode == 1 ? message : nil
  }
}
