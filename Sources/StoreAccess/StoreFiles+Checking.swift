import Platform
import SQLite
package import StoreFormat

extension StoreFiles {
  /// Finds a store's main file, following symbolic links.
  package init(resolving path: String) throws(StoreAccessError) {
    let status: FileStatus
    do {
      status = try FileStatus(of: path)
    } catch {
      throw error.isNotFound ? .noSuchStore(path) : .unreadable(error)
    }
    if status.kind == .directory { throw .directory(path) }
    // Opening a pipe would wait for its other end.
    guard status.kind == .regular else { throw .notADatabase(path) }
    do {
      self.init(path: try FileSystem.resolve(path))
    } catch {
      throw .unreadable(error)
    }
  }

  /// Refuses files that SQLite would all call "not a database", each with its own error.
  ///
  /// Truncated files, and companions that aren't files, are refused, too.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/fileformat.html#the_database_header>
  package func checkHeader(typed path: String) throws(StoreAccessError) {
    try checkCompanions(typed: path)
    let header: [UInt8]
    let size: Int64
    let hasWAL: Bool
    do {
      let file = try FileDescriptor(opening: self.path)
      size = try file.status().size
      header = try file.read(Int(min(size, 4096)), at: 0)
      hasWAL = try FileStatus.ifPresent(at: wal).map { $0.size > 0 } ?? false
    } catch {
      throw .unreadable(error)
    }
    if size == 0 { throw hasWAL ? .truncated(path, found: 0, expected: 4096) : .emptyFile(path) }
    guard header.isDatabase else {
      throw header.looksRandom ? .encrypted(path) : .notADatabase(path)
    }
    guard header.count >= 100 else { throw .truncated(path, found: size, expected: 4096) }
    // UTF-8, UTF-16 in either order, or 0 before the first table. SQLite reads other numbers as one
    // of these, and then refuses to attach the file to a connection.
    guard header[56..<59] == [0, 0, 0], header[59] <= 3 else {
      throw .damaged(path, SQLiteError(code: 11, message: "the header has no known text encoding"))
    }
    // With a write-ahead log, the main file may still lack pages that the log holds.
    let expected = Self.expectedSize(header)
    if !hasWAL, let expected, size < expected {
      throw .truncated(path, found: size, expected: expected)
    }
    let isMissing: Bool
    do {
      isMissing = try isMissingWAL(header)
    } catch {
      throw .unreadable(error)
    }
    if isMissing { throw .missingWAL(path) }
  }

  /// Refuses a pipe, a folder or a link where SQLite would wait for it, fail, or write elsewhere.
  private func checkCompanions(typed path: String) throws(StoreAccessError) {
    for companion in [wal, sharedMemory, journal] {
      let status: FileStatus?
      do {
        status = try FileStatus.ifPresent(at: companion, followingLinks: false)
      } catch {
        throw .unreadable(error)
      }
      guard let status, status.kind != .regular else { continue }
      throw .strangeCompanion(path, suffix: String(companion.dropFirst(self.path.count)))
    }
  }

  /// Returns the size that the header claims; `nil` if the claim isn't valid.
  private static func expectedSize(_ header: [UInt8]) -> Int64? {
    func number(_ start: Int, _ count: Int) -> Int64 {
      header[start..<start + count].reduce(0) { $0 << 8 | Int64($1) }
    }
    let pageSize = number(16, 2) == 1 ? 65_536 : number(16, 2)
    // The page count at byte 28 is valid only if the counters at bytes 24 and 92 are equal.
    guard number(24, 4) == number(92, 4), number(28, 4) > 0 else { return nil }
    return pageSize * number(28, 4)
  }
}

extension [UInt8] {
  /// Whether the bytes look like an encrypted file's first page.
  ///
  /// Encrypted SQLite files begin with a random salt and have few zeros. Text and other file
  /// formats have few different bytes, or many equal ones.
  fileprivate var looksRandom: Bool {
    guard count >= 1024 else { return false }
    var counts = [Int](repeating: 0, count: 256)
    for byte in self { counts[Int(byte)] += 1 }
    let mostFrequent = counts.max() ?? 0
    return counts.count { $0 > 0 } > 200 && mostFrequent < count / 32
  }
}
