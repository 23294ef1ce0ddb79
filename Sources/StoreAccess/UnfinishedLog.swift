package import Platform
package import StoreFormat

/// The end of a write-ahead log that SQLite leaves out, because no finished transaction has it.
///
/// An app that is killed while it writes leaves one. A log that was cut or changed while it was copied has one as well, and
/// then rows are missing. Source: <https://www.sqlite.org/fileformat2.html#the_write_ahead_log>.
package struct UnfinishedLog: Hashable, Sendable {
  /// The number of bytes that SQLite leaves out.
  package let bytes: Int64

  /// The number of pages that SQLite reads.
  package let readPages: Int64

  /// Whether more than a stopped app is behind it: it has finished transactions, or ends within a page.
  ///
  /// A copy of a store in use leaves such a log, and a loss of power may.
  package let isDamaged: Bool

  /// Reads a store's log; `nil` if it has no such end, or if there is no log.
  ///
  /// Pages of an earlier generation, which SQLite writes over, don't count: their salt is another.
  ///
  /// - Throws: A ``SystemError`` if the log can't be read.
  /// - Complexity: O(*n*) in the size of the log; a page is in memory.
  package init?(of files: StoreFiles) throws(SystemError) {
    guard let status = try FileStatus.ifPresent(at: files.wal), status.kind == .regular,
      status.size > 0
    else { return nil }
    let file = try FileDescriptor(opening: files.wal)
    guard var reader = LogReader(header: try file.read(32, at: 0)) else {
      (bytes, readPages, isDamaged) = (status.size, 0, true)
      return
    }
    let frame = Int64(reader.pageSize) + 24
    var (place, committed, isValid, hasLostCommit) = (Int64(32), Int64(32), true, false)
    while place + frame <= status.size {
      let bytes = try file.read(Int(frame), at: place)
      guard bytes.count == Int(frame), reader.isOfGeneration(bytes) else { break }
      isValid = isValid && reader.accepts(bytes)
      place += frame
      guard LogReader.isCommit(bytes) else { continue }
      if isValid { committed = place } else { hasLostCommit = true }
    }
    // A part of a page at the end is of this generation if the pages before it are.
    let end = status.size - place < frame ? status.size : place
    guard end > committed else { return nil }
    (bytes, readPages) = (end - committed, (committed - 32) / frame)
    isDamaged = hasLostCommit || end > place
  }
}

/// The salt and the running checksum of a log.
struct LogReader {
  let pageSize: Int
  private let salt: ArraySlice<UInt8>
  private let isBigEndian: Bool
  private var sums: (UInt32, UInt32) = (0, 0)

  /// Creates a reader of a log with this header; `nil` if it isn't a log's.
  init?(header: [UInt8]) {
    guard header.count == 32, header.starts(with: [0x37, 0x7F, 0x06]), header[3] & 0xFE == 0x82
    else { return nil }
    pageSize = Int(Self.number(header[8..<12]))
    guard pageSize >= 512, pageSize <= 65_536, pageSize & (pageSize - 1) == 0 else { return nil }
    (salt, isBigEndian) = (header[16..<24], header[3] == 0x83)
    add(header[0..<24])
    guard isSum(header[24..<32]) else { return nil }
  }

  /// Whether a page has the salt of this generation.
  func isOfGeneration(_ frame: [UInt8]) -> Bool { frame[8..<16].elementsEqual(salt) }

  /// Adds a page to the checksum, and returns whether the page has the same.
  mutating func accepts(_ frame: [UInt8]) -> Bool {
    add(frame[0..<8])
    add(frame[24...])
    return isSum(frame[16..<24])
  }

  /// Whether a transaction ends with this page, which then has the size of the database.
  static func isCommit(_ frame: [UInt8]) -> Bool { number(frame[4..<8]) != 0 }

  private func isSum(_ bytes: ArraySlice<UInt8>) -> Bool {
    Self.number(bytes.prefix(4)) == sums.0 && Self.number(bytes.suffix(4)) == sums.1
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>) {
    var place = bytes.startIndex
    while place + 8 <= bytes.endIndex {
      let first = number(bytes[place..<place + 4])
      let second = number(bytes[place + 4..<place + 8])
      sums.0 = sums.0 &+ first &+ sums.1
      sums.1 = sums.1 &+ second &+ sums.0
      place += 8
    }
  }

  /// The number in four bytes, in the byte order of the checksums.
  private func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    isBigEndian ? Self.number(bytes) : Self.number(bytes).byteSwapped
  }

  /// The big-endian number in some bytes.
  static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}
