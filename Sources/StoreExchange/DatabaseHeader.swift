import SQLite

/// The 100 bytes at the beginning of a database file.
///
/// Related SQLite documentation: <https://www.sqlite.org/fileformat2.html#the_database_header>
extension [UInt8] {
  /// Returns whether two headers are equal, apart from what a change of the journal mode writes.
  ///
  /// That is the write and read versions of the file format (bytes 18 and 19), the change counter
  /// (24 to 27), the change counter for which the size is valid (92 to 95), and SQLite's version
  /// (96 to 99). In both headers, the format versions must be at most 2, a write-ahead log: SQLite
  /// doesn't open files with a larger one, and reads 0 as 1, a rollback journal.
  func isHeader(_ other: [UInt8]) -> Bool {
    count == 100 && other.count == 100 && hasJournalMode && other.hasJournalMode
      && indices.allSatisfy { place in
        self[place] == other[place] || [18..<20, 24..<28, 92..<100].contains { $0.contains(place) }
      }
  }

  /// Returns whether a header is the one that this store had before a run took it out of WAL mode.
  ///
  /// The change counter shows that nobody has written to the store since: leaving WAL mode raises
  /// it by one at most. The rest of the header doesn't change, so the `header` file of another
  /// store is refused (`Durability.md`, j).
  func isHeaderBeforeSettling(_ header: [UInt8]) -> Bool {
    guard isHeader(header), self[18..<20] == [1, 1], header[18..<20] == [2, 2] else { return false }
    return changeCounter == header.changeCounter &+ 1 || changeCounter == header.changeCounter
  }

  /// The file change counter.
  private var changeCounter: UInt32 { self[24..<28].reduce(0) { $0 << 8 | UInt32($1) } }

  private var hasJournalMode: Bool {
    isDatabase && self[18..<20].allSatisfy { $0 <= 2 }
  }
}
