import Platform

extension Directory {
  /// The names of the files in a snapshot's folder that nothing needs after the exchange (f.7).
  ///
  /// The receipt has the header, too. After a loss of power, the new store may have its name here
  /// as well as its own, because its rename changed two folders.
  private static let passing = [SnapshotFolder.Entry.work, .header, .emptyLog, .unfinishedLog]
    .map(\.rawValue)

  var hasPassingFiles: Bool {
    get throws(SystemError) {
      for name in Self.passing { if try has(name) { return true } }
      return false
    }
  }

  /// Removes the files that nothing needs after the exchange, and syncs the folder.
  func removePassingFiles() throws(SystemError) {
    for name in Self.passing { try removeIfPresent(name) }
    // On the disk before the receipt says that nothing is left to do (f.7). This also puts on the
    // disk that the work file has lost its name here: with two names, the store would be refused.
    try synchronize()
  }
}
