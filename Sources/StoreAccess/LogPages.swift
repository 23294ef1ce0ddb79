package import Platform
package import StoreFormat

/// Where the pages are that a store's write-ahead log has, as far as SQLite reads it.
///
/// Source: <https://www.sqlite.org/fileformat2.html#the_write_ahead_log>
package struct LogPages: Sendable {
  /// The log.
  package let file: SharedFile

  /// The offset of the newest content of each page, by its number.
  package let places: [UInt32: Int64]

  /// The number of pages of the database after the log's last transaction.
  package let pageCount: UInt32

  /// Reads a store's log; `nil` if it has no finished transaction, or if there is no log.
  ///
  /// - Throws: A ``SystemError`` if the log can't be read.
  /// - Complexity: O(*n*) in the size of the log; a page is in memory.
  package init?(of files: StoreFiles) throws(SystemError) {
    guard try files.hasLog else { return nil }
    let file = SharedFile(try FileDescriptor(opening: files.wal))
    let size = try file.descriptor.status().size
    guard var reader = LogReader(header: try file.descriptor.read(32, at: 0)) else { return nil }
    let frame = Int64(reader.pageSize) + 24
    var (place, count) = (Int64(32), UInt32(0))
    var (committed, pending): ([UInt32: Int64], [UInt32: Int64]) = ([:], [:])
    while place + frame <= size {
      let bytes = try file.descriptor.read(Int(frame), at: place)
      guard bytes.count == Int(frame), reader.isOfGeneration(bytes), reader.accepts(bytes) else {
        break
      }
      pending[LogReader.number(bytes[0..<4])] = place + 24
      place += frame
      guard LogReader.isCommit(bytes) else { continue }
      committed.merge(pending) { $1 }
      pending = [:]
      count = LogReader.number(bytes[4..<8])
    }
    guard count > 0 else { return nil }
    (self.file, places, pageCount) = (file, committed, count)
  }
}
