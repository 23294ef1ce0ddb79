import Platform
import SQLite
import StoreFormat

extension RollbackRun {
  /// The old version's store, ready to take the present one's place.
  struct Draft {
    var outcome: Outcome
    let written: Receipt.FileRecord

    /// The SHA-256 of the present store's main file.
    let mainHash: String
  }

  /// Makes the old version's store in the folder that will keep the present one.
  func build(
    in kept: SnapshotFolder, from store: borrowing ExclusiveStore, _ present: StoreDescription
  ) throws -> Draft {
    // Nobody else can write to the store: it is hashed while the snapshot is copied.
    let (_, mainHash) = try concurrently(
      { try snapshot.copyStore(to: kept.workFile, receipt) },
      { [file = store.file] in Hexadecimal.encode(try file.descriptor.sha256()) })
    let view = StoreView(store: present, schema: "main")
    let isAsWritten = try mainHash == receipt.written.hash && !files.hasLog
    var outcome = try look(at: view, store.connection, isAsWritten: isAsWritten)
    guard outcome.contentBefore != receipt.contentHash, laterWrites == .keep else {
      return Draft(
        outcome: outcome, written: try finishCopy(kept.workFile, store), mainHash: mainHash)
    }
    try FileSystem.remove(kept.workFile)
    try merge(into: kept, view, store, &outcome)
    return Draft(
      outcome: outcome, written: try store.finish(kept.workFile), mainHash: mainHash)
  }

  /// Writes a store of snapshot and later writes, and checks it.
  private func merge(
    into kept: SnapshotFolder, _ view: StoreView, _ store: borrowing ExclusiveStore,
    _ outcome: inout Outcome
  ) throws {
    try FileSystem.create(kept.workFile, [])
    try store.connection.attach(path: kept.workFile, as: NewStore.schema, mode: .readWriteAlone)
    let header = ParkingHeader(app: receipt.app, from: receipt.to, to: receipt.from)
    var parking: ParkingFile? = try ParkingFile(creating: kept.parkedFile, for: header)
    try merge(view, store.connection, &outcome, &parking)
    if parking?.count == 0 { try FileSystem.remove(kept.parkedFile) }
    try store.connection.detach(NewStore.schema)
    outcome.isExact = false
    outcome.contentAfter = try check(kept.workFile, against: view, store.connection)
  }

  /// Gives the snapshot's copy the present store's attributes, and brings it to the disk.
  ///
  /// A copy and never a link: the app would rewrite a linked snapshot.
  private func finishCopy(
    _ work: String, _ store: borrowing ExclusiveStore
  ) throws -> Receipt.FileRecord {
    let file = try FileDescriptor(opening: work, for: .updating)
    try file.copyAttributes(of: store.file.descriptor, [.owner, .permissions, .extendedAttributes])
    try file.synchronize()
    return Receipt.FileRecord(identity: try file.status().identity, hash: receipt.snapshotHash)
  }
}
