import Platform
import StoreFormat

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
  /// Returns whether a name is that of a file without bytes.
  fileprivate func isEmptyFile(_ name: String) throws(SystemError) -> Bool {
    guard let status = try statusIfPresent(of: name) else { return false }
    return status.kind == .regular && status.size == 0
  }
}
