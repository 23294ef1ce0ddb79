import Platform
package import StoreFormat
import StoreAccess

/// The cleanup of what interrupted writes and runs left beside a store, before a run begins.
package struct CrashCleanup {
  /// The XXH128 of the rollback journal that was found and removed; `nil` if there was none.
  package private(set) var journal: String?

  /// Sentences about what was found and done.
  package private(set) var notes: [String] = []

  package init() {}

  /// Rolls back an interrupted write, then completes or discards interrupted runs.
  ///
  /// It refuses what isn't a store. Only commands that write call it (invariant 6 in
  /// `Durability.md`).
  package mutating func run(on files: StoreFiles, typed path: String) throws {
    do {
      try files.checkHeader(typed: path)
    } catch {
      // While another process writes to the file, its header may look like anything.
      let holders = (try? lockHolders(of: files.path)) ?? []
      guard holders.isEmpty else {
        throw StoreAccessError.inUse(path, holders: holders.map(\.description))
      }
      throw error
    }
    // The journal first: with a hot one, the recovery couldn't read the store.
    if let found = try files.rollBackJournal(typed: path) {
      journal = found.hash
      notes += found.notes
    }
    notes += try Recovery(files: files).finish(typed: path)
  }
}

extension StoreFiles {
  /// Whether the store has a rollback journal that isn't empty.
  var hasJournal: Bool {
    get throws(SystemError) {
      try openFolder().statusIfPresent(of: journalName).map { $0.size > 0 } ?? false
    }
  }

  /// Rolls back an interrupted transaction, as SQLite does when it opens a store.
  ///
  /// A finished journal, which exclusive mode leaves behind, is removed. Related SQLite
  /// documentation: <https://www.sqlite.org/lockingv3.html#hot_journals>
  ///
  /// - Returns: What was done; `nil` if the store has no journal.
  fileprivate func rollBackJournal(typed path: String) throws -> FoundJournal? {
    guard try hasJournal else { return nil }
    // A writer in a transaction has a journal, too.
    let holders = try lockHolders(of: self.path)
    guard holders.isEmpty else {
      throw StoreAccessError.inUse(path, holders: holders.map(\.description))
    }
    guard let found = try presentJournal() else { return nil }
    // Under its exclusive lock, SQLite rolls back a hot journal; what is left of it is finished.
    let store = try ExclusiveStore.take(self, typed: path)
    try store.folder.removeIfPresent(journalName)
    try store.release()
    return found
  }

  /// The bytes that a journal with a transaction to roll back begins with.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/fileformat.html#the_rollback_journal>
  private static let journalMagic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

  /// Returns the journal; `nil` if its writer has finished in the meantime.
  private func presentJournal() throws(SystemError) -> FoundJournal? {
    do throws(SystemError) {
      let file = try openFolder().open(journalName)
      // A journal whose header is zeros is finished: its transaction was committed.
      let isHot = try file.read(8, at: 0) == Self.journalMagic
      return FoundJournal(
        hash: try file.hash(),
        notes: isHot ? ["an interrupted write to the store was rolled back from its journal"] : [])
    } catch {
      guard error.isNotFound else { throw error }
      return nil
    }
  }
}

/// A rollback journal that was beside a store.
private struct FoundJournal {
  /// The XXH128 of its bytes.
  let hash: String

  /// Sentences about what was done.
  let notes: [String]
}
