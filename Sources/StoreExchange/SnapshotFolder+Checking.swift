package import Platform
import StoreFormat

extension SnapshotFolder {
  /// Checks the snapshot: it counts only if its receipt says done and its hashes match (invariant 3).
  ///
  /// - Throws: ``ExchangeError/badSnapshot(_:reason:)`` if it isn't what was kept.
  /// - Complexity: O(*n*) in its bytes.
  package func check(_ receipt: Receipt) throws {
    try refuse(problem(receipt))
  }

  /// What in the snapshot isn't what was kept, in words; `nil` if it counts.
  package func problem(_ receipt: Receipt) throws(SystemError) -> String? {
    guard let folder = try openIfPresent(), try folder.isFile(mainName) else {
      return "its store is missing"
    }
    let file = try folder.open(mainName)
    let hash = Hexadecimal.encode(try file.sha256(replacingHeader: receipt.header))
    return try problem(file, receipt, isKept: hash == receipt.snapshotHashes.sha256)
  }

  /// Checks the snapshot by a file of its store that is open, and by the quicker hash.
  func check(_ receipt: Receipt, file: borrowing FileDescriptor) throws {
    let isKept = try file.matches(receipt.snapshotHashes, replacingHeader: receipt.header)
    try refuse(problem(file, receipt, isKept: isKept))
  }

  /// Opens the store's file and locks it as SQLite would to write, if it is the snapshot's alone (g).
  ///
  /// It isn't if it has another name, or another process has it open or locked; Darwin doesn't report a process
  /// that has it open. Nor is it if the user may not write it.
  ///
  /// - Returns: The file; `nil` if it isn't the snapshot's alone.
  /// - Throws: A ``SystemError`` if the system doesn't say.
  func fileOfItsOwn() throws(SystemError) -> SharedFile? {
    guard let folder = try openIfPresent(),
      let status = try folder.statusIfPresent(of: mainName), status.kind == .regular,
      status.linkCount == 1, try lockHolders(of: mainFile.path).isEmpty
    else { return nil }
    let file: SharedFile
    do throws(SystemError) {
      file = SharedFile(try folder.open(mainName, for: .updating))
      try file.descriptor.lockAsDatabase()
    } catch {
      // It can be read but not written, or another process was quicker: a copy will do.
      return nil
    }
    // The holders were asked for by path: they are those of this file only if it has the name still.
    return try file.descriptor.status().identity == status.identity ? file : nil
  }

  /// Makes the work file of another snapshot from a copy of this one's store, and brings it to the disk.
  ///
  /// The copy gets the header that the file had as a store, and another store's attributes. It is checked, and
  /// so are the files of large values as they are kept.
  ///
  /// - Throws: ``ExchangeError/badSnapshot(_:reason:)`` if it isn't what was kept.
  /// - Complexity: O(*n*) in its bytes.
  func copyStore(
    to other: SnapshotFolder, _ receipt: Receipt, like store: borrowing FileDescriptor
  ) throws {
    let folder = try open()
    guard try folder.isFile(mainName) else {
      throw ExchangeError.badSnapshot(name, reason: "its store is missing")
    }
    let copy = try other.open().create(Entry.work.rawValue)
    let kept = try folder.open(mainName)
    try copy.copyContents(of: kept)
    try copy.write(receipt.header, at: 0)
    // Less is left for the sync below.
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
    guard isKept, header.isHeader(receipt.header) else {
      return "its store doesn't match its receipt"
    }
    let large = "an external storage file doesn't match its receipt"
    guard !receipt.external.isEmpty else { return nil }
    guard let external = try open().directoryIfPresent(Entry.external.rawValue) else {
      return large
    }
    for (name, expected) in receipt.external.sorted(by: { $0.key < $1.key }) {
      guard try external.isFile(name),
        Hexadecimal.encode(try external.open(name).sha256()) == expected
      else { return large }
    }
    return nil
  }

  /// The bytes on the disk of everything in the folder; blocks that another file shares count too.
  package func allocatedBytes() throws(SystemError) -> Int64 {
    try openIfPresent()?.allocatedBytes() ?? 0
  }
}

extension Directory {
  /// Returns whether a name is one of a file: not of a folder, a link or a pipe.
  fileprivate func isFile(_ name: String) throws(SystemError) -> Bool {
    try statusIfPresent(of: name)?.kind == .regular
  }

  fileprivate func allocatedBytes() throws(SystemError) -> Int64 {
    var sum: Int64 = 0
    for name in try list() {
      let status = try status(of: name)
      sum +=
        try status.kind == .directory
        ? directory(name).allocatedBytes() : status.allocatedSize
    }
    return sum
  }
}
