import Platform
package import StoreFormat
import StoreAccess

/// What interrupted writes and runs left beside a store, and what was done about it before a run began.
package struct CrashCleanup {
  /// The SHA-256 of the journal of an interrupted write, which was rolled back.
  package private(set) var journal: String?

  /// What was found and done, in words.
  package private(set) var notes: [String] = []

  package init() {}

  /// Refuses what is no store, rolls back interrupted writes, and finishes or forgets interrupted runs.
  ///
  /// Called only by commands that write.
  package mutating func settle(_ files: StoreFiles, typed path: String) throws {
    do {
      try files.checkHeader(typed: path)
    } catch {
      // While it is written it may look like anything.
      let holders = (try? lockHolders(of: files.path)) ?? []
      guard holders.isEmpty else {
        throw StoreAccessError.inUse(path, holders: holders.map(\.description))
      }
      throw error
    }
    if let settled = try files.settleJournal(typed: path) {
      journal = settled.hash
      notes += settled.notes
    }
    notes += try Recovery(files: files).finish(typed: path)
  }
}

extension StoreFiles {
  /// A Boolean value indicating whether a rollback journal stands beside the store.
  var hasJournal: Bool {
    get throws(SystemError) {
      try openFolder().statusIfPresent(of: journalName).map { $0.size > 0 } ?? false
    }
  }

  /// Rolls back what an interrupted writer left half done, as SQLite does for whoever opens a store.
  ///
  /// A journal that is over, which exclusive mode leaves behind, is removed. Related SQLite
  /// documentation: <https://www.sqlite.org/lockingv3.html#hot_journals>
  ///
  /// - Returns: What was done; none where there is no journal.
  fileprivate func settleJournal(typed path: String) throws -> SettledJournal? {
    guard try hasJournal else { return nil }
    // A writer that is at work has a journal, too.
    let holders = try lockHolders(of: self.path)
    guard holders.isEmpty else {
      throw StoreAccessError.inUse(path, holders: holders.map(\.description))
    }
    guard let found = try presentJournal() else { return nil }
    let store = try ExclusiveStore.take(self, typed: path)
    try store.folder.removeIfPresent(journalName)
    try store.release()
    return found
  }

  /// The journal that is there; none where its writer has finished in the meantime.
  private func presentJournal() throws(SystemError) -> SettledJournal? {
    do throws(SystemError) {
      let file = try openFolder().open(journalName)
      // A journal whose header is zeros is over: its transaction was committed.
      let isHot = try file.read(1, at: 0) != [0]
      return SettledJournal(
        hash: Hexadecimal.encode(try file.sha256()),
        notes: isHot ? ["an interrupted write to the store was rolled back from its journal"] : [])
    } catch {
      guard error.isNotFound else { throw error }
      return nil
    }
  }
}

/// A rollback journal that stood beside a store and is gone.
private struct SettledJournal {
  /// The SHA-256 of its bytes.
  let hash: String

  /// What was done about it, in words.
  let notes: [String]
}
