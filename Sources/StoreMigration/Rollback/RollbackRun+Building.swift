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

    /// The snapshot's own file, locked, if that is what takes the present one's place.
    let own: SharedFile?
  }

  /// Makes the old version's store in the folder that will keep the present one.
  func build(
    in kept: SnapshotFolder, from store: borrowing ExclusiveStore, _ present: StoreDescription
  ) throws -> Draft {
    // Nobody else can write to the store: it is hashed at the same time.
    let (own, mainHash) = try concurrently(
      { try checkedSnapshot(as: kept.workFile) },
      { [file = store.file] in Hexadecimal.encode(try file.descriptor.sha256()) })
    let view = StoreView(store: present, schema: "main")
    let isAsWritten = try mainHash == receipt.written.hash && !files.hasLog
    var outcome = try look(at: view, store.connection, isAsWritten: isAsWritten)
    guard outcome.contentBefore != receipt.contentHash, laterWrites == .keep else {
      let file =
        try own ?? SharedFile(FileDescriptor(opening: kept.workFile, for: .updating))
      return Draft(
        outcome: outcome, written: try finish(file.descriptor, store), mainHash: mainHash,
        own: own)
    }
    try FileSystem.remove(kept.workFile)
    try merge(into: kept, view, store, &outcome)
    return Draft(
      outcome: outcome, written: try store.finish(kept.workFile), mainHash: mainHash,
      own: nil)
  }

  /// Checks the snapshot and puts it in the place of the work file: its own file under another name, which is
  /// returned, or a copy.
  ///
  /// The snapshot's name goes before anybody can open the store: else the app would rewrite the snapshot.
  private func checkedSnapshot(as work: String) throws -> SharedFile? {
    guard let own = try snapshot.fileOfItsOwn() else {
      try snapshot.copyStore(to: work, receipt)
      return nil
    }
    try snapshot.check(receipt, file: own)
    do throws(SystemError) {
      try FileSystem.link(snapshot.mainFile, to: work)
    } catch {
      guard error.isUnlinkable else { throw error }
      try snapshot.copyStore(to: work, receipt)
      return nil
    }
    return own
  }

  /// Writes a store of snapshot and later writes, and checks it.
  private func merge(
    into kept: SnapshotFolder, _ view: StoreView, _ store: borrowing ExclusiveStore,
    _ outcome: inout Outcome
  ) throws {
    _ = try FileDescriptor(creating: kept.workFile)
    try store.connection.attach(path: kept.workFile, as: NewStore.schema, mode: .readWriteAlone)
    let header = ParkingHeader(app: receipt.app, from: receipt.to, to: receipt.from)
    var parking: ParkingFile? = try ParkingFile(creating: kept.parkedFile, for: header)
    try merge(view, store.connection, &outcome, &parking)
    if parking?.count == 0 { try FileSystem.remove(kept.parkedFile) }
    try store.connection.detach(NewStore.schema)
    outcome.isExact = false
    outcome.contentAfter = try check(kept.workFile, against: view, store.connection)
  }

  /// Gives the snapshot's file, or its copy, the header that it had and the present store's attributes, and
  /// brings it to the disk.
  private func finish(
    _ file: borrowing FileDescriptor, _ store: borrowing ExclusiveStore
  ) throws -> Receipt.FileRecord {
    try file.write(receipt.header, at: 0)
    try file.copyAttributes(of: store.file.descriptor, [.owner, .permissions, .extendedAttributes])
    try file.synchronize()
    return Receipt.FileRecord(identity: try file.status().identity, hash: receipt.snapshotHash)
  }
}
