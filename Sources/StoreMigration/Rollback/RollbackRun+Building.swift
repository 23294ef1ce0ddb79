import Platform
import SQLite
import StoreFormat
import Migrations
import StoreAccess
import RowRewriting

extension RollbackRun {
  /// Makes the old version's store in the folder that will keep the present one.
  func build(
    _ versions: Replacement.Versions, in kept: SnapshotFolder, from store: borrowing ExclusiveStore,
    _ present: StoreDescription
  ) throws -> (Replacement.Draft, Outcome) {
    let details = try RunDetails(of: receipt, snapshot: snapshot.name)
    // Nobody else can write to the store: it is hashed at the same time.
    var (own, mainHashes) = try concurrently(
      { try checkedSnapshot(asWorkOf: kept, beside: store) },
      { [file = store.file, written = receipt.written.hashes] in
        let isKnown = try written.xxh128 != nil && file.descriptor.xxh128() == written.xxh128
        return try isKnown ? written : file.descriptor.hashes()
      })
    let view = StoreView(store: present, schema: "main")
    let isAsWritten = try mainHashes.sha256 == receipt.written.hashes.sha256 && !files.hasLog
    var outcome = try look(at: view, store.connection, isAsWritten: isAsWritten)
    outcome.kept = kept
    let written: Receipt.FileRecord
    if outcome.contentBefore == receipt.contentHash || laterWrites != .keep {
      written = try record(of: kept)
    } else {
      // The merged store is a new file: the snapshot keeps its own.
      own = nil
      try kept.open().remove(SnapshotFolder.Entry.work.rawValue)
      try store.checkRoom(typed: path)
      try merge(into: kept, view, store, &outcome)
      written = try store.finish(kept)
    }
    let draft = Replacement.Draft(
      versions: versions, written: written, digest: outcome.digest,
      contentBefore: outcome.contentBefore, contentHash: outcome.contentAfter,
      rowsWritten: outcome.merged.reduce(0) { $0 + $1.added + $1.changed },
      details: RunDetails(request: details.request, migrations: details.migrations).members,
      mainHashes: mainHashes,
      undone: Replacement.Undone(
        snapshot: snapshot, receipt: receipt, isObsolete: outcome.isExact, own: own,
        restored: try restoreExternalData()))
    return (draft, outcome)
  }

  /// Checks the snapshot and makes the work file of it.
  ///
  /// That is the snapshot's own file by another name, which is returned locked, or a copy. The own file gets the
  /// store's header when it takes the store's place (``ReturningSnapshot``).
  private func checkedSnapshot(
    asWorkOf kept: SnapshotFolder, beside store: borrowing ExclusiveStore
  ) throws -> SharedFile? {
    if let own = try snapshot.fileOfItsOwn(), try link(own, asWorkOf: kept) { return own }
    try store.checkRoom(typed: path)
    try snapshot.copyStore(to: kept, receipt, like: store.file.descriptor)
    return nil
  }

  /// Checks the snapshot's own file and gives it another name; returns `false` if it can't have one.
  private func link(_ own: SharedFile, asWorkOf kept: SnapshotFolder) throws -> Bool {
    try snapshot.check(receipt, file: own.descriptor)
    let folder = try kept.open()
    let work = SnapshotFolder.Entry.work.rawValue
    do throws(SystemError) {
      try snapshot.open().link(snapshot.mainName, to: work, in: folder)
    } catch {
      guard error.isUnlinkable else { throw error }
      return false
    }
    // Another file may have got the name since this one was checked.
    guard try folder.status(of: work).identity == own.descriptor.status().identity else {
      throw ExchangeError.badSnapshot(snapshot.name, reason: "its store isn't what was kept")
    }
    return true
  }

  private func record(of kept: SnapshotFolder) throws -> Receipt.FileRecord {
    Receipt.FileRecord(
      identity: try kept.open().status(of: SnapshotFolder.Entry.work.rawValue).identity,
      hashes: receipt.snapshotHashes)
  }

  /// Writes a store of snapshot and later writes, and checks it.
  private func merge(
    into kept: SnapshotFolder, _ view: StoreView, _ store: borrowing ExclusiveStore,
    _ outcome: inout Outcome
  ) throws {
    try kept.createWorkFile()
    try store.connection.attach(
      path: kept.path(of: .work), as: NewStore.schema, mode: .readWriteAlone)
    let header = ParkingHeader(app: receipt.app, from: receipt.to, to: receipt.from)
    var parking: ParkingFile? = try ParkingFile(creating: kept.path(of: .parked), for: header)
    try merge(view, store.connection, &outcome, &parking)
    if parking?.count == 0 { try kept.open().remove(SnapshotFolder.Entry.parked.rawValue) }
    try store.connection.detach(NewStore.schema)
    outcome.isExact = false
    outcome.contentAfter = try check(kept.path(of: .work), against: view, store.connection)
  }
}
