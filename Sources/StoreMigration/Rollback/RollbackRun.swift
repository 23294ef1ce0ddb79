import Platform
import SQLite
import StoreFormat
import StoreModel

/// One run of rollback: checks the snapshot, sees that nothing was written since, and exchanges.
struct RollbackRun {
  /// The path as it was typed.
  let path: String
  let files: StoreFiles
  let snapshot: SnapshotFolder
  let receipt: Receipt
  let catalog: Catalog

  /// A snapshot counts only if its receipt says done and its hashes match.
  func checkSnapshot() throws {
    let kind = try FileStatus.ifPresent(at: snapshot.mainFile, followingLinks: false)?.kind
    guard kind == .regular else {
      throw MigrationError.badSnapshot(snapshot.name, reason: "its store is missing")
    }
    let main = try FileDescriptor(opening: snapshot.mainFile)
    let hash = Hexadecimal.encode(try main.sha256(replacingHeader: receipt.header))
    guard hash == receipt.snapshotHash else {
      throw MigrationError.badSnapshot(snapshot.name, reason: "its store isn't what was kept")
    }
    for (name, expected) in receipt.external.sorted(by: { $0.key < $1.key }) {
      let file = "\(snapshot.externalFolder)/\(name)"
      let kind = try FileStatus.ifPresent(at: file, followingLinks: false)?.kind
      guard kind == .regular, Hexadecimal.encode(try sha256(ofFile: file)) == expected else {
        throw MigrationError.badSnapshot(
          snapshot.name, reason: "the file of a large value isn't what was kept")
      }
    }
  }

  /// Looks whether the store still holds what apply wrote, without a lock.
  func checkUnchanged() throws {
    let inspection = try StoreInspection(path: path, catalog: catalog)
    try checkUnchanged(inspection.store, inspection.connection)
  }

  /// Puts a copy of the snapshot in the store's place.
  ///
  /// A copy and never a link: the app would rewrite a linked snapshot.
  func carryOut() throws {
    let store = try ExclusiveStore.take(files, typed: path)
    do {
      try checkUnchanged(try StoreDescription(reading: store.connection), store.connection)
      try prepare(store)
      try restoreExternalData()
    } catch {
      // What went wrong is what to tell; a clean-up that fails too leaves what the next run finds.
      _ = try? FileSystem.removeIfPresent(snapshot.workFile)
      try? snapshot.write(receipt)
      try? store.release()
      throw error
    }
    // Whoever opened the new store meanwhile would write its log beside the old one: leave WAL mode.
    try store.connection.walCheckpointTruncate()
    try store.connection.execute("PRAGMA main.journal_mode = DELETE")
    try FileSystem.removeIfPresent(files.journal)
    try FileSystem.removeIfPresent(files.sharedMemory)
    try FileSystem.rename(snapshot.workFile, to: files.path)
    try FileSystem.synchronizeDirectory(files.folder)
    try store.release()
    try snapshot.remove()
  }

  private func prepare(_ store: borrowing ExclusiveStore) throws {
    try FileSystem.removeIfPresent(snapshot.workFile)
    let copy = try FileDescriptor(creating: snapshot.workFile)
    let kept = try FileDescriptor(opening: snapshot.mainFile)
    try copy.copyContents(of: kept)
    try copy.write(receipt.header, at: 0)
    try copy.copyAttributes(of: store.descriptor, [.owner, .permissions, .extendedAttributes])
    try copy.synchronize()
    let hash = Hexadecimal.encode(try copy.sha256())
    guard hash == receipt.snapshotHash else {
      throw MigrationError.badSnapshot(snapshot.name, reason: "its copy isn't what was kept")
    }
    var receipt = receipt
    receipt.state = .rollingBack
    receipt.restored = Receipt.FileRecord(identity: try copy.status().identity, hash: hash)
    try snapshot.write(receipt)
  }

  /// Brings back files of large values that are gone.
  private func restoreExternalData() throws {
    guard !receipt.external.isEmpty else { return }
    for folder in ["\(files.folder)/\(files.supportFolderName)", files.externalDataFolder]
    where !FileSystem.exists(folder) {
      try FileSystem.createDirectory(folder, mode: 0o755)
    }
    for name in receipt.external.keys.sorted() {
      let path = "\(files.externalDataFolder)/\(name)"
      guard !FileSystem.exists(path) else { continue }
      let copy = try FileDescriptor(creating: path)
      try copy.copyContents(of: try FileDescriptor(opening: "\(snapshot.externalFolder)/\(name)"))
      try copy.synchronize()
    }
    try FileSystem.synchronizeDirectory(files.externalDataFolder)
  }

  /// The store is unchanged if its rows have the hash that apply left; its bytes may differ.
  private func checkUnchanged(
    _ description: StoreDescription, _ connection: borrowing Connection
  ) throws {
    guard let model = description.cachedModel,
      StructureCheck(description, model: model).disagreements.isEmpty
    else { throw MigrationError.torn(path, findings: description.problems) }
    guard description.metadata?.hashes?.digest == receipt.digest else {
      throw MigrationError.notThere(path, expected: receipt.to)
    }
    let layout = StoreLayout(model, joinTableNames: description.tableNames)
    let hash = try ContentHash(layout: layout, store: description, schema: "main").value(connection)
    guard hash == receipt.contentHash else {
      throw MigrationError.laterChanges([])
    }
  }
}
