import Platform
import StoreFormat
import StoreAccess

/// The empty log of a store, which SQLite removes when the store leaves WAL mode (c).
///
/// Apple's systems keep it beside a store, so a run that fails puts it back. The letters are those
/// of the protocol in `Durability.md`.
extension SnapshotFolder {
  /// Gives the log a second name in the folder, or copies it if linking fails.
  func keepLog(_ beside: borrowing Directory, in folder: borrowing Directory) throws(SystemError) {
    guard try beside.isEmptyFile(files.walName) else { return }
    if try folder.clone(beside.open(files.walName), as: Entry.emptyLog.rawValue) != nil { return }
    do throws(SystemError) {
      try beside.link(files.walName, to: Entry.emptyLog.rawValue, in: folder)
    } catch {
      guard error.isUnlinkable else { throw error }
      let log = try folder.create(Entry.emptyLog.rawValue)
      try log.copyAttributes(of: beside.open(files.walName), FileAttribute.lasting)
    }
  }

  /// Puts the log back beside a store that returns to WAL mode.
  ///
  /// A log with bytes, which no run keeps, would change the store (j).
  func restoreLog(_ beside: borrowing Directory) throws(SystemError) {
    guard let folder = try openIfPresent(), try folder.isEmptyFile(Entry.emptyLog.rawValue),
      try !beside.has(files.walName)
    else { return }
    try folder.rename(Entry.emptyLog.rawValue, to: files.walName, in: beside)
  }
}

extension SnapshotFolder {
  /// Keeps a copy of a damaged log beside the store, because folding the log in removes it (c).
  ///
  /// SQLite leaves out the log's end, which may have rows that another tool can save. The copy outlasts a rollback, a
  /// prune and a killed run; no command removes it.
  func keepUnfinishedLog(
    _ beside: borrowing Directory, in folder: borrowing Directory
  ) throws(SystemError) {
    guard try UnfinishedLog(of: files)?.isDamaged == true else { return }
    let log = try beside.open(files.walName)
    guard let name = try beside.freeName(for: log, like: files.unfinishedLogName) else { return }
    try folder.copy(log, as: Entry.unfinishedLog.rawValue).synchronize()
    try folder.rename(Entry.unfinishedLog.rawValue, to: name, in: beside)
    // On the disk before the log is folded in.
    try beside.synchronize()
  }
}

extension StoreFiles {
  /// Whether a run that was killed has kept the store's log.
  var hasKeptLog: Bool {
    get throws(SystemError) {
      for snapshot in try SnapshotFolder.all(of: self) {
        if try snapshot.openIfPresent()?.isEmptyFile(SnapshotFolder.Entry.emptyLog.rawValue) == true
        {
          return true
        }
      }
      return false
    }
  }
}

extension Directory {
  /// Returns a name that no file has yet, numbered if necessary; `nil` if a file has the same bytes.
  ///
  /// - Complexity: O(*n*) in the bytes of the files with such names.
  fileprivate func freeName(
    for file: borrowing FileDescriptor, like name: String
  ) throws(SystemError) -> String? {
    let hash = try file.hash()
    var (free, number) = (name, 1)
    while let status = try statusIfPresent(of: free) {
      if status.kind == .regular, try open(free).hash() == hash { return nil }
      number += 1
      free = "\(name)-\(number)"
    }
    return free
  }

  /// Returns whether a name is that of a file without bytes.
  fileprivate func isEmptyFile(_ name: String) throws(SystemError) -> Bool {
    guard let status = try statusIfPresent(of: name) else { return false }
    return status.kind == .regular && status.size == 0
  }
}
