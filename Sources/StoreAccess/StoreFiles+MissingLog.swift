import Platform
import StoreFormat

extension StoreFiles {
  /// Returns whether a log is missing whose rows aren't in the main file.
  ///
  /// The log's index, which apps leave behind, counts the log's frames and those that were copied
  /// into the main file: <https://www.sqlite.org/walformat.html#the_wal_index_file_format>
  ///
  /// - Parameter header: The main file's first 100 bytes or more.
  /// - Returns: Whether the index counts rows that the main file may lack.
  /// - Throws: A ``SystemError`` if a file can't be read.
  func isMissingWAL(_ header: [UInt8]) throws(SystemError) -> Bool {
    // A file that left WAL mode (byte 18 is 1) has its log folded in.
    guard header[18] == 2, try !FileSystem.exists(wal),
      let index = try FileStatus.ifPresent(at: sharedMemory), index.size >= 136
    else { return false }
    let bytes = try FileDescriptor(opening: sharedMemory).read(136, at: 0)
    // The index has the byte order of the machine that wrote it; Apple's are all little-endian.
    func number(_ start: Int) -> UInt32 {
      bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    let isValid = number(0) == 3_007_000 && bytes[0..<48] == bytes[48..<96] && bytes[12] == 1
    guard isValid && number(16) > number(96) else { return false }
    let pages = header[28..<32].reduce(0) { $0 << 8 | UInt32($1) }
    if number(20) != pages { return true }
    return try !hasKept(header.prefix(100) + [])
  }

  /// Returns whether an interrupted run kept this header, just after it had folded the log in.
  ///
  /// After a loss of power, the removal of the log may be on the disk, and that of its index not:
  /// the index alone doesn't prove that a log is missing (`Durability.md`, c).
  private func hasKept(_ header: [UInt8]) throws(SystemError) -> Bool {
    do throws(SystemError) {
      guard let snapshots = try openFolder().directoryIfPresent(snapshotsName) else { return false }
      for name in try snapshots.listText() {
        guard try snapshots.statusIfPresent(of: name)?.kind == .directory else { continue }
        let folder = try snapshots.directory(name)
        guard let kept = try folder.statusIfPresent(of: "header"), kept.kind == .regular,
          kept.size == header.count
        else { continue }
        if try folder.open("header").read(header.count, at: 0) == header { return true }
      }
      return false
    } catch {
      // Another run may remove a folder at any time, and a link has no folder of ours (j).
      guard error.isNotFound || error.isSymbolicLink else { throw error }
      return false
    }
  }
}
