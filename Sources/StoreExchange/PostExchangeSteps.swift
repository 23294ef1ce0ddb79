import Platform
import StoreFormat

/// The steps after the rename, which complete an exchange (f.6, f.7, g).
///
/// Each step can be repeated: ``Recovery`` completes a run that was killed between them. The
/// letters in comments are those of the protocol in `Durability.md`.
struct PostExchangeSteps {
  let files: StoreFiles

  /// The snapshot of the exchange, which keeps the store that was replaced.
  let snapshot: SnapshotFolder

  /// Completes the exchange, until the receipt says done.
  ///
  /// - Parameters:
  ///   - receipt: The receipt of the exchange.
  ///   - beside: The folder that the store lies in.
  /// - Throws: A ``SystemError``; the next run that writes repeats the steps.
  func complete(_ receipt: Receipt, in beside: borrowing Directory) throws(SystemError) {
    // The rename must be on the disk before anything that it makes obsolete is removed (f.6).
    try beside.synchronize()
    let kept = try snapshot.open()
    try placeFiles(of: receipt, kept, beside)
    try kept.removePassingFiles()
    // The store's folder is synced: the store's file no longer needs its name in a snapshot (g).
    try removeUndoneSnapshot(receipt)
    try snapshot.mark(receipt, as: .done)
  }

  /// Links parked values beside the store, removes obsolete ones, and restores external data.
  private func placeFiles(
    of receipt: Receipt, _ kept: borrowing Directory, _ beside: borrowing Directory
  ) throws(SystemError) {
    if try kept.has(SnapshotFolder.Entry.parked.rawValue) {
      try link(SnapshotFolder.Entry.parked.rawValue, in: kept, as: snapshot.parkedName, beside)
    }
    // An apply restored these values: the snapshot keeps the files.
    for name in try snapshot.returnedNames() { try beside.removeIfPresent(name) }
    if let undone = undone(receipt), let folder = try undone.openIfPresent() {
      // Only if the store equals the snapshot. Otherwise, what wasn't merged was parked again.
      for name in try undone.returnedNames() where receipt.isUndoneObsolete {
        let returned = try folder.directory(SnapshotFolder.Entry.returned.rawValue)
        try link(name, in: returned, as: name, beside)
      }
      // The snapshot's store still has the values that its run parked.
      try beside.removeIfPresent(undone.parkedName)
      try restoreExternalData(of: undone, folder)
    }
    // The names must be on the disk before the receipt says that nothing is left to do (f.7).
    try beside.synchronize()
  }

  /// Removes the snapshot that a rollback restored, if the store equals it (g).
  private func removeUndoneSnapshot(_ receipt: Receipt) throws(SystemError) {
    guard receipt.isUndoneObsolete, let undone = undone(receipt),
      try undone.openIfPresent() != nil
    else { return }
    try undone.remove()
  }

  /// Restores external data files that aren't what the snapshot keeps.
  private func restoreExternalData(
    of undone: SnapshotFolder, _ folder: borrowing Directory
  ) throws(SystemError) {
    // Files that the receipt doesn't name were put there by someone else (j).
    let names = try undone.soundReceipt()?.external ?? [:]
    guard !names.isEmpty,
      let source = try folder.directoryIfPresent(SnapshotFolder.Entry.external.rawValue)
    else { return }
    let target = try files.openOrCreateExternalData()
    for name in try source.list() where names[name] != nil {
      let kept = try source.open(name)
      let present = try target.statusIfPresent(of: name)
      if present != nil, try target.open(name).hash() == kept.hash() { continue }
      let status = if let present { present } else { try files.statusForValues }
      try target.replace(name, withCopyOf: kept, like: status)
    }
  }

  /// The snapshot that a rollback restored; `nil` for other runs.
  private func undone(_ receipt: Receipt) -> SnapshotFolder? {
    // A receipt that names its own snapshot was changed: its store would be removed (j).
    guard let name = receipt.undone, name != snapshot.name else { return nil }
    return SnapshotFolder(files: files, name: name)
  }

  private func link(
    _ source: String, in folder: borrowing Directory, as name: String,
    _ beside: borrowing Directory
  ) throws(SystemError) {
    // A killed run may have left the draft of a copy, or its rename split in a loss of power.
    try beside.removeIfPresent(name + Directory.draftSuffix)
    guard try !beside.has(name) else { return }
    // Opening refuses a symbolic link; `link` would give the second name to the link itself (j).
    let file = try folder.open(source)
    do {
      try folder.link(source, to: name, in: beside)
    } catch {
      guard error.isUnlinkable else { throw error }
      try beside.replace(name, withCopyOf: file)
    }
  }
}
