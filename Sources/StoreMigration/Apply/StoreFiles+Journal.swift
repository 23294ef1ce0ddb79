import Platform
import StoreFormat

extension StoreFiles {
  /// A Boolean value indicating whether a rollback journal stands beside the store.
  var hasJournal: Bool {
    get throws(SystemError) { try FileStatus.ifPresent(at: journal).map { $0.size > 0 } ?? false }
  }

  /// Rolls back what an interrupted writer left half done, as SQLite does for whoever opens a store.
  ///
  /// Called only by commands that write. A journal that is over, which exclusive mode leaves behind, is
  /// removed. Related SQLite documentation: <https://www.sqlite.org/lockingv3.html#hot_journals>
  ///
  /// - Returns: What was done; none where there is no journal.
  func settleJournal(typed path: String) throws -> SettledJournal? {
    guard try hasJournal else { return nil }
    let hash = Hexadecimal.encode(try sha256(ofFile: journal))
    // A journal whose header is zeros is over: its transaction was committed.
    let isHot = try FileDescriptor(opening: journal, followingLinks: false).read(1, at: 0) != [0]
    let store = try ExclusiveStore.take(self, typed: path)
    try FileSystem.removeIfPresent(journal)
    try store.release()
    return SettledJournal(
      hash: hash,
      notes: isHot ? ["an interrupted write to the store was rolled back from its journal"] : [])
  }
}

/// A rollback journal that stood beside a store and is gone.
struct SettledJournal: Hashable {
  /// The SHA-256 of its bytes.
  let hash: String

  /// What was done about it, in words.
  let notes: [String]
}
