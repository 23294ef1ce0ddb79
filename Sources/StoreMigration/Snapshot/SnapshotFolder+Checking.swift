import Platform
import StoreFormat
import Migrations
import RowRewriting

extension SnapshotFolder {
  /// Checks the snapshot: it counts only if its receipt says done and its hashes match.
  ///
  /// - Throws: ``ExchangeError/badSnapshot(_:reason:)`` if it isn't what was kept.
  /// - Complexity: O(*n*) in its bytes.
  func check(_ receipt: Receipt) throws {
    try refuse(problem(receipt))
  }

  /// What of the snapshot isn't what was kept, in words; none if it counts.
  func problem(_ receipt: Receipt) throws(SystemError) -> String? {
    guard try isFile(mainFile) else { return "its store is missing" }
    let file = try FileDescriptor(opening: mainFile)
    let hash = Hexadecimal.encode(try file.sha256(replacingHeader: receipt.header))
    return try problem(file, receipt, isKept: hash == receipt.snapshotHashes.sha256)
  }

  /// Checks the snapshot by a file of its store that is open, and by the quicker hash.
  func check(_ receipt: Receipt, file: borrowing FileDescriptor) throws {
    let isKept = try file.matches(receipt.snapshotHashes, replacingHeader: receipt.header)
    try refuse(problem(file, receipt, isKept: isKept))
  }

  /// Opens the store's file and locks it as SQLite would to write, if it is the snapshot's alone.
  ///
  /// It isn't where it has another name, or another process has it open or locked; on Darwin the system doesn't
  /// tell of one that has it open. Nor is it the user's who may not write it.
  ///
  /// - Returns: The file; none where it isn't the snapshot's alone.
  /// - Throws: A ``SystemError`` if the system doesn't tell.
  func fileOfItsOwn() throws(SystemError) -> SharedFile? {
    guard let status = try FileStatus.ifPresent(at: mainFile, followingLinks: false),
      status.kind == .regular, status.linkCount == 1, try lockHolders(of: mainFile).isEmpty
    else { return nil }
    let file: SharedFile
    do throws(SystemError) {
      file = SharedFile(
        try FileDescriptor(opening: mainFile, for: .updating, followingLinks: false))
      try file.descriptor.lockAsDatabase()
    } catch {
      // It may be read and not written, or somebody was quicker: a copy will do.
      return nil
    }
    return try file.descriptor.status().identity == status.identity ? file : nil
  }

  /// Makes a store of a copy of the snapshot's file, and brings it to the disk.
  ///
  /// The copy has the header that the file had as a store, and another store's attributes. It is checked, and so
  /// are the files of large values as they are kept.
  ///
  /// - Throws: ``ExchangeError/badSnapshot(_:reason:)`` if it isn't what was kept.
  /// - Complexity: O(*n*) in its bytes.
  func copyStore(
    to path: String, _ receipt: Receipt, like store: borrowing FileDescriptor
  ) throws {
    guard try isFile(mainFile) else {
      throw ExchangeError.badSnapshot(name, reason: "its store is missing")
    }
    let copy = try FileDescriptor(creating: path)
    let kept = try FileDescriptor(opening: mainFile)
    try copy.copyContents(of: kept)
    try copy.write(receipt.header, at: 0)
    // What is written back now needn't be waited for later.
    copy.beginWriting()
    try refuse(problem(kept, receipt, isKept: copy.matches(receipt.snapshotHashes)))
    try copy.copyAttributes(of: store, FileAttribute.lasting)
    try copy.synchronize()
  }

  private func refuse(_ problem: String?) throws {
    if let problem { throw ExchangeError.badSnapshot(name, reason: problem) }
  }

  /// What isn't what was kept, with the store's file open.
  ///
  /// The bytes behind its header are compared already.
  private func problem(
    _ file: borrowing FileDescriptor, _ receipt: Receipt, isKept: Bool
  ) throws(SystemError) -> String? {
    let header = try file.read(receipt.header.count, at: 0)
    guard isKept, header.isHeader(receipt.header) else { return "its store isn't what was kept" }
    for (name, expected) in receipt.external.sorted(by: { $0.key < $1.key }) {
      let file = "\(externalFolder)/\(name)"
      guard try isFile(file), Hexadecimal.encode(try sha256(ofFile: file)) == expected else {
        return "the file of a large value isn't what was kept"
      }
    }
    return nil
  }

  private func isFile(_ path: String) throws(SystemError) -> Bool {
    try FileStatus.ifPresent(at: path, followingLinks: false)?.kind == .regular
  }

  /// The bytes on the disk of everything in the folder; blocks that another file shares count too.
  func allocatedBytes() throws(SystemError) -> Int64 {
    try Self.allocatedBytes(below: path)
  }

  private static func allocatedBytes(below path: String) throws(SystemError) -> Int64 {
    var sum: Int64 = 0
    for name in try FileSystem.list(path) {
      let entry = "\(path)/\(name)"
      let status = try FileStatus(of: entry, followingLinks: false)
      sum += status.kind == .directory ? try allocatedBytes(below: entry) : status.allocatedSize
    }
    return sum
  }
}

extension [UInt8] {
  /// Returns whether a database header is another one but for what a change of the journal mode writes.
  ///
  /// Those are the versions that read and write the file, its change counter, the counter for which its
  /// size is valid, and SQLite's version.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/fileformat2.html#the_database_header>
  fileprivate func isHeader(_ other: [UInt8]) -> Bool {
    count == other.count
      && indices.allSatisfy { place in
        self[place] == other[place] || [18..<20, 24..<28, 92..<100].contains { $0.contains(place) }
      }
  }
}
