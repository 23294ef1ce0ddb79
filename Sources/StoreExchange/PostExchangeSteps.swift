package import Platform
package import StoreFormat

/// The steps after the rename: move parked values, and remove a used-up snapshot (f.7, g).
///
/// Each step can be repeated: ``Recovery`` completes a run that was killed between them. The
/// letters in comments are those of the protocol in `Durability.md`.
struct PostExchangeSteps {
  let files: StoreFiles

  /// The snapshot of the exchange, which keeps the store that was replaced.
  let snapshot: SnapshotFolder

  /// Moves parked values to where they belong after the exchange, and restores large values.
  func finish(_ receipt: Receipt) throws(SystemError) {
    let beside = try files.openFolder()
    let kept = try snapshot.open()
    if try kept.has(SnapshotFolder.Entry.parked.rawValue) {
      try link(.parked, in: kept, as: snapshot.parkedName, beside)
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
      try restoreLargeValues(of: undone, folder)
    }
    // The names must be on the disk before the receipt says that nothing is left to do (f.7).
    try beside.synchronize()
  }

  /// Removes the snapshot that a rollback restored, if the store equals it (g).
  func forget(_ receipt: Receipt) throws(SystemError) {
    guard receipt.isUndoneObsolete, let undone = undone(receipt),
      try undone.openIfPresent() != nil
    else { return }
    try undone.remove()
  }

  /// Restores files of large values that aren't what the snapshot keeps.
  private func restoreLargeValues(
    of undone: SnapshotFolder, _ folder: borrowing Directory
  ) throws(SystemError) {
    let external = SnapshotFolder.Entry.external.rawValue
    // Files that the receipt doesn't name were put there by someone else (j).
    let names = try undone.soundReceipt()?.external ?? [:]
    guard !names.isEmpty, let source = try folder.directoryIfPresent(external) else { return }
    let target = try files.openOrCreateExternalData()
    for name in try source.list() where names[name] != nil {
      let kept = try source.open(name)
      if try target.has(name), try target.open(name).sha256() == kept.sha256() { continue }
      try target.replace(name, withCopyOf: kept)
    }
  }

  /// The snapshot that a rollback restored; `nil` for other runs.
  private func undone(_ receipt: Receipt) -> SnapshotFolder? {
    // A receipt that names its own snapshot was changed: its store would be removed (j).
    guard let name = receipt.undone, name != snapshot.name else { return nil }
    return SnapshotFolder(files: files, name: name)
  }

  private func link(
    _ entry: SnapshotFolder.Entry, in folder: borrowing Directory, as name: String,
    _ beside: borrowing Directory
  ) throws(SystemError) {
    try link(entry.rawValue, in: folder, as: name, beside)
  }

  private func link(
    _ source: String, in folder: borrowing Directory, as name: String,
    _ beside: borrowing Directory
  ) throws(SystemError) {
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

extension SnapshotFolder {
  /// Returns the names of the files of parked values that an apply restored.
  ///
  /// Other files in that folder aren't put beside the store (j).
  package func returnedNames() throws(SystemError) -> [String] {
    guard let returned = try openIfPresent()?.directoryIfPresent(Entry.returned.rawValue) else {
      return []
    }
    return try returned.list().filter(files.isParked)
  }
}

extension StoreFiles {
  /// The names of the files of parked values beside the store, oldest first.
  package var parkedFiles: [String] {
    get throws(SystemError) {
      try openFolder().list()
        .filter(isParked).sorted { run(of: $0).isOlder(than: run(of: $1)) }
    }
  }

  /// Opens the folder of large values, and creates it if it is missing.
  ///
  /// When the store's folder is synced, the name of the folder around it is on the disk.
  func openOrCreateExternalData() throws(SystemError) -> Directory {
    let beside = try openFolder()
    let external = SnapshotFolder.Entry.external.rawValue
    let support: Directory
    if let present = try beside.directoryIfPresent(supportFolderName) {
      support = present
    } else {
      support = try beside.createDirectory(supportFolderName, mode: 0o755)
    }
    if let present = try support.directoryIfPresent(external) { return present }
    let created = try support.createDirectory(external, mode: 0o755)
    try support.synchronize()
    return created
  }

  /// Returns whether a name is that of a file of parked values.
  fileprivate func isParked(_ file: String) -> Bool {
    file.hasPrefix("\(name).parked-") && file.hasSuffix(".jsonl")
  }

  /// The snapshot of the rollback that parked the values of a file.
  private func run(of parked: String) -> SnapshotFolder {
    SnapshotFolder(
      files: self, name: String(parked.dropFirst("\(name).parked-".count).dropLast(".jsonl".count)))
  }
}
