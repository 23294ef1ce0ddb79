import SQLite
import StoreAccess
import StoreProof
import StoreExchange
import Platform
import StoreFormat
import RowRewriting
import OutboxConversion

extension RollbackRun {
  /// Builds the old version's store in the folder of the snapshot that keeps the present one.
  func build(
    in kept: SnapshotFolder, from store: borrowing ExclusiveStore,
    _ present: Result<StoreDescription, any Error>
  ) throws -> (Replacement.Draft, Outcome) {
    let details = try RunDetails(of: receipt, snapshot: snapshot.name)
    // No other process can write to the store, so it is hashed at the same time.
    var (own, mainHash) = try concurrently(
      { try snapshot.makeWorkFile(in: kept, receipt, replacing: store, typed: path) },
      { [file = store.file] in try file.descriptor.hash() })
    let isAsWritten = try isAsWritten(store.file.descriptor, hash: mainHash) && !files.hasLog
    var outcome = try look(at: present, store.connection, isAsWritten: isAsWritten)
    outcome.kept = kept
    let written: Receipt.FileRecord
    if outcome.isAsLeft || laterWrites != .keep {
      written = try snapshot.workFileRecord(in: kept, receipt)
    } else {
      // The merged store is a new file: the snapshot's own file needs no lock any more.
      own = nil
      try kept.remove(.work)
      try store.checkRoom(typed: path)
      let view = StoreView(store: try present.get(), schema: "main")
      try merge(into: kept, view, store, &outcome)
      written = try store.finish(kept)
    }
    let draft = Replacement.Draft(
      written: written, digest: outcome.digest,
      contentBefore: outcome.contentBefore, contentHash: outcome.contentAfter,
      carried: outcome.carried,
      rowsWritten: outcome.merged.reduce(0) { $0 + $1.added + $1.changed },
      details: try lasting(details, in: kept, isAsLeft: outcome.isAsLeft).members,
      mainHash: mainHash,
      undone: Replacement.Undone(
        snapshot: snapshot, receipt: receipt, isObsolete: outcome.isExact,
        repeatsApply: try receipt.kind == .rollback && !lacksRecord(outcome), own: own,
        restored: try snapshot.restoreExternalData(receipt)))
    return (draft, outcome)
  }

  /// Returns whether the store's file, whose XXH128 is known, is the one that the run wrote.
  private func isAsWritten(
    _ file: borrowing FileDescriptor, hash: String
  ) throws(SystemError) -> Bool {
    let written = receipt.written.hash
    return try HashAlgorithm(of: written) == .xxh128 ? hash == written : file.matches(written)
  }

  /// Returns what the new receipt says about the undone run, and copies the files about its rows.
  ///
  /// If nothing was written since an apply, the new snapshot keeps all that is known about it. A
  /// rollback to that snapshot leaves the store as that apply did, with its quarantine. It isn't
  /// kept for an apply that restored parked values, which are beside the store again.
  private func lasting(
    _ details: RunDetails, in kept: SnapshotFolder, isAsLeft: Bool
  ) throws -> RunDetails {
    guard isAsLeft, try snapshot.returnedNames().isEmpty else {
      return RunDetails(request: details.request, migrations: details.migrations)
    }
    for entry in [SnapshotFolder.Entry.quarantine, .setAside] {
      guard try snapshot.file(entry).statusIfPresent() != nil else { continue }
      try kept.file(entry).replace(withCopyOf: snapshot.file(entry))
    }
    return details
  }

  /// Writes a store of the snapshot and the later writes, and checks it.
  private func merge(
    into kept: SnapshotFolder, _ view: StoreView, _ store: borrowing ExclusiveStore,
    _ outcome: inout Outcome
  ) throws {
    try kept.createWorkFile()
    try store.connection.attach(
      kept.file(.work), as: NewStore.schema, mode: .readWriteAlone)
    let header = ParkingHeader(app: receipt.app, from: receipt.to, to: receipt.from)
    var parking: ParkingFile? = try ParkingFile(creating: kept.file(.parked), for: header)
    try merge(view, store.connection, &outcome, &parking)
    if parking?.count == 0 { try kept.remove(.parked) }
    try store.connection.detach(NewStore.schema)
    outcome.isExact = false
    outcome.contentAfter = try check(kept.file(.work), against: view, store.connection)
  }
}
