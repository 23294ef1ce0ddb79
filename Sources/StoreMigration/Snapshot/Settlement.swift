import Platform
import StoreFormat
import Migrations
import RowRewriting

/// What an exchange leaves to do beside the store: parked values that move, a snapshot that goes.
///
/// Each part can be done again: a run that was killed in between is finished by the next one.
struct Settlement {
  let files: StoreFiles

  /// The snapshot of the exchange.
  let snapshot: SnapshotFolder

  /// Moves parked values to where they belong after the exchange.
  func finish(_ receipt: Receipt) throws(SystemError) {
    if try FileSystem.exists(snapshot.parkedFile) {
      try link(snapshot.parkedFile, as: snapshot.parkedName)
    }
    for name in try snapshot.returnedNames() {
      try FileSystem.removeIfPresent("\(files.folder)/\(name)")
    }
    if let undone = undone(receipt) {
      // A store that isn't exactly the snapshot had everything that doesn't come back parked anew.
      for name in try undone.returnedNames() where receipt.isUndoneObsolete {
        try link("\(undone.returnedFolder)/\(name)", as: name)
      }
      try FileSystem.removeIfPresent("\(files.folder)/\(undone.parkedName)")
      try restoreLargeValues(of: undone)
    }
    try FileSystem.synchronizeDirectory(files.folder)
  }

  /// Removes the snapshot that a rollback went back to, where the store is what it keeps.
  func forget(_ receipt: Receipt) throws(SystemError) {
    guard receipt.isUndoneObsolete, let undone = undone(receipt),
      try FileSystem.exists(undone.path)
    else { return }
    try undone.remove()
  }

  /// Brings back files of large values that aren't what the snapshot keeps.
  private func restoreLargeValues(of undone: SnapshotFolder) throws(SystemError) {
    let names = try undone.soundReceipt()?.external ?? [:]
    for name in try SnapshotFolder.names(in: undone.externalFolder) where names[name] != nil {
      let (kept, path) = ("\(undone.externalFolder)/\(name)", "\(files.externalDataFolder)/\(name)")
      if try FileSystem.exists(path), try sha256(ofFile: path) == sha256(ofFile: kept) {
        continue
      }
      try FileSystem.replace(path, withCopyOf: kept)
    }
  }

  private func undone(_ receipt: Receipt) -> SnapshotFolder? {
    receipt.undone.map { SnapshotFolder(files: files, name: $0) }
  }

  private func link(_ file: String, as name: String) throws(SystemError) {
    let path = "\(files.folder)/\(name)"
    guard try !FileSystem.exists(path) else { return }
    do {
      try FileSystem.link(file, to: path)
    } catch {
      guard error.isUnlinkable else { throw error }
      try FileSystem.replace(path, withCopyOf: file)
    }
  }
}

extension SnapshotFolder {
  /// The names of the parked files that an apply put back.
  ///
  /// What else lies there isn't put beside the store.
  func returnedNames() throws(SystemError) -> [String] {
    try Self.names(in: returnedFolder).filter(files.isParked)
  }

  /// The names in a folder of a snapshot; none where there is no folder.
  fileprivate static func names(in folder: String) throws(SystemError) -> [String] {
    let kind = try FileStatus.ifPresent(at: folder, followingLinks: false)?.kind
    return kind == .directory ? try FileSystem.list(folder).sorted() : []
  }
}

extension StoreFiles {
  /// The files of parked values beside the store, oldest first.
  var parkedFiles: [String] {
    get throws(SystemError) {
      try FileSystem.list(folder)
        .filter(isParked).sorted { run(of: $0).isOlder(than: run(of: $1)) }
    }
  }

  /// Returns whether a name is one of a file of parked values.
  fileprivate func isParked(_ file: String) -> Bool {
    file.hasPrefix("\(name).parked-") && file.hasSuffix(".jsonl")
  }

  /// The snapshot of the rollback that parked the values of a file.
  private func run(of parked: String) -> SnapshotFolder {
    SnapshotFolder(
      files: self, name: String(parked.dropFirst("\(name).parked-".count).dropLast(".jsonl".count)))
  }
}
