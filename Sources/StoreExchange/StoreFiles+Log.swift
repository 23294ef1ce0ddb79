package import Platform
package import StoreFormat

extension StoreFiles {
  /// A Boolean value indicating whether a log is missing, and no run of ours explains why.
  ///
  /// The store's header says then that it is in WAL mode.
  /// Apple's systems leave the log beside a store after its last connection closes, even if it is empty. Elsewhere,
  /// SQLite removes it: a store without one may be complete.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntlpersistwal>
  ///
  /// - Throws: A ``SystemError`` if the main file can't be read.
  /// - Complexity: O(1); O(*n*) in the file's bytes if the store was copied with its snapshots.
  package var lacksLog: Bool {
    get throws(SystemError) {
      guard try !FileSystem.exists(wal) else { return false }
      let file = try FileDescriptor(opening: path)
      guard try file.read(1, at: ExclusiveStore.headerModePlace) == [2] else { return false }
      // Snapshots that can't be read explain nothing.
      return (try? isAsARunLeftIt(file)) != true
    }
  }

  /// Returns whether the store is one file, with the bytes that a run wrote.
  ///
  /// - Parameter receipt: The receipt of the run.
  /// - Returns: `true` if there is no log and the main file has the receipt's hash.
  /// - Throws: A ``SystemError`` if the file can't be read.
  /// - Complexity: O(*n*) in the file's bytes.
  package func isAsWritten(by receipt: Receipt) throws(SystemError) -> Bool {
    guard try !hasLog else { return false }
    return try FileDescriptor(opening: path).matches(receipt.written.hash)
  }

  /// Returns whether the main file is one that a run of ours put there, without a log.
  private func isAsARunLeftIt(_ file: borrowing FileDescriptor) throws(SystemError) -> Bool {
    let identity = try file.status().identity
    var newest: Receipt?
    for folder in try SnapshotFolder.all(of: self) {
      guard let receipt = try folder.soundReceipt() else { continue }
      if receipt.written.identity == identity { return true }
      newest = receipt
    }
    // A copy of the store with its snapshots is another file with the same bytes.
    guard let hash = newest?.written.hash else { return false }
    return try file.matches(hash)
  }
}
