import StoreAccess
package import Platform
package import StoreFormat

/// Replaces a store by a new file and keeps the old one in a snapshot: apply, edit or rollback.
///
/// The letters in comments are those of the protocol in `Durability.md`.
package struct Replacement {
  /// The path as it was typed.
  let path: String
  let files: StoreFiles

  /// The tool's name and version, for the receipt.
  let tool: String

  /// The kind of the run.
  let kind: Receipt.Kind

  /// The command of an edit, such as `quarantine restore`; `nil` for other runs.
  let command: String?

  /// The SHA-256 of the rollback journal that ``CrashCleanup`` removed; `nil` if there was none.
  let foundJournal: String?

  /// When the run began.
  let start: ContinuousClock.Instant

  package init(
    path: String, files: StoreFiles, tool: String, kind: Receipt.Kind, command: String? = nil,
    foundJournal: String?, start: ContinuousClock.Instant
  ) {
    (self.path, self.files, self.tool, self.kind) = (path, files, tool, kind)
    (self.command, self.foundJournal, self.start) = (command, foundJournal, start)
  }

  /// The versions before and after the run; they name the snapshot.
  package struct Versions {
    let app: String
    let from: String
    let to: String

    package init(app: String, from: String, to: String) {
      (self.app, self.from, self.to) = (app, from, to)
    }
  }

  /// A new store, built and proven in the work file of a snapshot's folder.
  package struct Draft {
    let versions: Versions

    /// The work file, as ``ExclusiveStore/finish(_:hashes:)`` left it.
    let written: Receipt.FileRecord

    /// The digest of the new store's entity hashes.
    let digest: String

    /// The logical hashes of the rows before and after.
    let contentBefore: String
    let contentHash: String

    /// The number of rows that the run wrote.
    let rowsWritten: Int64

    /// The rest of the receipt.
    let details: Receipt.Details

    /// The hashes of the old store's main file, if it was read under the lock already.
    var mainHashes: FileHashes?

    /// The snapshot that a rollback restores; `nil` for other runs.
    var undone: Undone?

    package init(
      versions: Versions, written: Receipt.FileRecord, digest: String, contentBefore: String,
      contentHash: String, rowsWritten: Int64, details: Receipt.Details,
      mainHashes: FileHashes? = nil, undone: Undone? = nil
    ) {
      (self.versions, self.written, self.digest) = (versions, written, digest)
      (self.contentBefore, self.contentHash) = (contentBefore, contentHash)
      (self.rowsWritten, self.details) = (rowsWritten, details)
      (self.mainHashes, self.undone) = (mainHashes, undone)
    }
  }

  /// The snapshot that a rollback restores.
  package struct Undone {
    let snapshot: SnapshotFolder
    let receipt: Receipt

    /// A Boolean value indicating whether the new store equals the one that the snapshot keeps.
    let isObsolete: Bool

    /// The snapshot's own file, locked, if that is the work file.
    let own: SharedFile?

    /// The names of the files of large values that were missing and have been restored.
    let restored: Set<String>

    package init(
      snapshot: SnapshotFolder, receipt: Receipt, isObsolete: Bool, own: SharedFile?,
      restored: Set<String>
    ) {
      (self.snapshot, self.receipt, self.isObsolete) = (snapshot, receipt, isObsolete)
      (self.own, self.restored) = (own, restored)
    }
  }

  /// Checks, builds and exchanges; an error before the rename leaves the old store as it was.
  ///
  /// - Parameters:
  ///   - store: The store, which only this process can write to (b).
  ///   - check: Refuses what can be refused before anything is written (a). Returns the versions,
  ///     and what else the run needs to know about the store.
  ///   - build: Builds and proves the new store in the snapshot's folder (e). If the draft is
  ///     `nil`, the store stays as it is, without a snapshot.
  /// - Returns: What `build` returned.
  /// - Throws: What the closures throw, a ``StoreAccessError`` or an ``ExchangeError``.
  package func carryOut<Seen, Outcome>(
    on store: consuming ExclusiveStore,
    check: (borrowing ExclusiveStore) throws -> (Versions, Seen),
    build: (borrowing ExclusiveStore, SnapshotFolder, Versions, Seen) throws -> (Draft?, Outcome)
  ) throws -> Outcome {
    let (versions, seen): (Versions, Seen)
    let snapshot: SnapshotFolder
    do {
      try store.checkFiles(typed: path)
      (versions, seen) = try check(store)
      snapshot = try createSnapshot(versions)
    } catch {
      // Report the first error. What a failed cleanup leaves, the next run finds.
      try? store.release()
      throw error
    }
    let draft: Draft?
    let outcome: Outcome
    do {
      (draft, outcome) = try build(store, snapshot, versions, seen)
    } catch {
      // Until here, only the snapshot's folder was written to, and missing large values restored.
      try? snapshot.remove()
      try? store.release()
      throw error
    }
    guard let draft else {
      try snapshot.remove()
      try store.release()
      return outcome
    }
    // Closing any descriptor of a snapshot's own file drops its lock: close the last one after the
    // exchange (d).
    defer { withExtendedLifetime(draft.undone?.own) {} }
    try Exchange(
      files: files, snapshot: snapshot,
      undone: draft.undone.flatMap { undone in
        undone.own.map { _ in
          ReturningSnapshot(snapshot: undone.snapshot, receipt: undone.receipt)
        }
      },
      receipt: { receipt(for: draft, found: $0) }, mainHashes: draft.mainHashes
    ).carryOut(on: store)
    return outcome
  }

  private func createSnapshot(_ versions: Versions) throws(StoreAccessError) -> SnapshotFolder {
    do {
      return try SnapshotFolder.create(for: files, from: versions.from, to: versions.to)
    } catch {
      throw .cannotCreate(error)
    }
  }

  /// The run's receipt, in state pending.
  private func receipt(for draft: Draft, found: Exchange.Found) -> Receipt {
    let restored = draft.undone?.restored ?? []
    return Receipt(
      state: .pending, kind: kind, command: command, undone: draft.undone?.snapshot.name,
      isUndoneObsolete: draft.undone?.isObsolete ?? false, app: draft.versions.app,
      from: draft.versions.from, to: draft.versions.to, time: WallClock.now().text,
      store: files.name, tool: tool, found: found.main,
      before: Receipt.Companions(
        wal: found.walHash, journal: foundJournal,
        external: found.external.filter { !restored.contains($0.key) }),
      snapshotHashes: found.snapshotHashes, header: found.header, written: draft.written,
      after: Receipt.Companions(external: found.external), digest: draft.digest,
      contentBefore: draft.contentBefore, contentHash: draft.contentHash,
      rowsWritten: draft.rowsWritten,
      durationMilliseconds: (ContinuousClock.now - start).milliseconds, details: draft.details)
  }
}

extension Duration {
  /// The duration in whole milliseconds, rounded down.
  package var milliseconds: Int64 {
    components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
  }
}
