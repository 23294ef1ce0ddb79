package import Platform
import StoreFormat

extension Replacement {
  /// What a receipt says about a run before its result is known.
  package struct Run {
    /// The tool's name and version.
    let tool: String
    let kind: Receipt.Kind

    /// The command that an edit is, such as `quarantine restore`; `nil` for other runs.
    let command: String?

    /// The app, and the versions that its store is at and is brought to; they name the snapshot.
    let app: String
    let from: String
    let to: String

    /// The XXH128 of the journal of an interrupted write, which the run rolled back first.
    let foundJournal: String?

    /// When the run began.
    let start: ContinuousClock.Instant

    package init(
      tool: String, kind: Receipt.Kind, command: String? = nil, app: String, from: String,
      to: String, foundJournal: String?, start: ContinuousClock.Instant
    ) {
      (self.tool, self.kind, self.command) = (tool, kind, command)
      (self.app, self.from, self.to) = (app, from, to)
      (self.foundJournal, self.start) = (foundJournal, start)
    }
  }

  /// A new store, built and proven in the work file of a snapshot's folder.
  package struct Draft {
    /// The work file, as ``ExclusiveStore/finish(_:hash:)`` left it.
    let written: Receipt.FileRecord

    /// The digest of the new store's entity hashes.
    let digest: String

    /// The content hashes of the rows before and after.
    let contentBefore: String
    let contentHash: String

    /// The tables that the content hashes leave out, because the run left them as they were.
    let carried: [String]

    /// The number of rows that the run wrote.
    let rowsWritten: Int64

    /// What else the receipt says.
    let details: Receipt.Details

    /// The hash of the old store's main file, if it was read under the lock already.
    var mainHash: String?

    /// What a rollback goes back to; `nil` for other runs.
    var undone: Undone?

    package init(
      written: Receipt.FileRecord, digest: String, contentBefore: String,
      contentHash: String, carried: [String] = [], rowsWritten: Int64, details: Receipt.Details,
      mainHash: String? = nil, undone: Undone? = nil
    ) {
      (self.written, self.digest) = (written, digest)
      (self.contentBefore, self.contentHash) = (contentBefore, contentHash)
      self.carried = carried
      (self.rowsWritten, self.details) = (rowsWritten, details)
      (self.mainHash, self.undone) = (mainHash, undone)
    }
  }

  /// The snapshot that a rollback goes back to.
  package struct Undone {
    let snapshot: SnapshotFolder
    let receipt: Receipt

    /// Whether the store becomes what the snapshot keeps.
    let isObsolete: Bool

    /// Whether the store becomes what an apply wrote, from the store that the apply read.
    ///
    /// The new snapshot is then that of an apply.
    let repeatsApply: Bool

    /// The snapshot's own file, locked, if that is the work file.
    let own: SharedFile?

    /// The names of the external data files that the rollback restored.
    let restored: Set<String>

    package init(
      snapshot: SnapshotFolder, receipt: Receipt, isObsolete: Bool, repeatsApply: Bool,
      own: SharedFile?, restored: Set<String>
    ) {
      (self.snapshot, self.receipt, self.isObsolete) = (snapshot, receipt, isObsolete)
      (self.repeatsApply, self.own, self.restored) = (repeatsApply, own, restored)
    }
  }
}

extension Replacement.Run {
  /// The receipt of the run, still pending.
  func receipt(
    for draft: Replacement.Draft, of store: StoreFiles, found: Exchange.Found
  ) -> Receipt {
    // A rollback restores missing files before, changed ones after the exchange (g).
    let restored = draft.undone?.restored ?? []
    return Receipt(
      state: .pending, kind: draft.undone?.repeatsApply == true ? .apply : kind, command: command,
      undone: draft.undone?.snapshot.name,
      isUndoneObsolete: draft.undone?.isObsolete ?? false, app: app, from: from, to: to,
      time: WallClock.now().text(fractionDigits: 3), store: store.name, tool: tool,
      found: found.main,
      before: Receipt.Companions(
        wal: found.walHash, journal: foundJournal,
        external: found.external.filter { !restored.contains($0.key) }),
      snapshotHash: found.snapshotHash, header: found.header, written: draft.written,
      after: Receipt.Companions(
        external: found.external.merging(draft.undone?.receipt.external ?? [:]) { $1 }),
      digest: draft.digest,
      contentBefore: draft.contentBefore, contentHash: draft.contentHash,
      carried: draft.carried,
      rowsWritten: draft.rowsWritten,
      durationMilliseconds: (ContinuousClock.now - start).milliseconds, details: draft.details)
  }
}
