package import Platform

extension SnapshotFolder {
  /// Checks the snapshot against the hashes in its receipt (invariant 3).
  ///
  /// - Throws: ``ExchangeError/badSnapshot(_:reason:)`` if a file is missing or has another hash.
  /// - Complexity: O(*n*) in its bytes.
  package func check(_ receipt: Receipt) throws {
    try refuse(problem(receipt))
  }

  /// Describes how the snapshot differs from its receipt; returns `nil` if it doesn't.
  package func problem(_ receipt: Receipt) throws(SystemError) -> String? {
    guard let folder = try openIfPresent(), try folder.isFile(mainName) else {
      return "its store is missing"
    }
    let file = try folder.open(mainName)
    let hash = Hexadecimal.encode(try file.sha256(replacingHeader: receipt.header))
    return try problem(file, receipt, isKept: hash == receipt.snapshotHashes.sha256)
  }

  /// Checks the snapshot with its store's file open, by the faster hash.
  func check(_ receipt: Receipt, file: borrowing FileDescriptor) throws {
    let isKept = try file.matches(receipt.snapshotHashes, replacingHeader: receipt.header)
    try refuse(problem(file, receipt, isKept: isKept))
  }

  /// Opens and locks the store's file, if it belongs to the snapshot alone (g).
  ///
  /// It doesn't if it has another name, if another process has it open or locked, or if the user
  /// may not write to it. The lock is the one that SQLite takes to write. Darwin doesn't report a
  /// process that has the file open.
  ///
  /// - Returns: The file; `nil` if it doesn't belong to the snapshot alone.
  /// - Throws: A ``SystemError`` if the status or the holders can't be read.
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
      // The file can be read but not written to, or another process was faster: a copy will do.
      return nil
    }
    // The holders were looked up by path: they are this file's only if it still has the name.
    return try file.descriptor.status().identity == status.identity ? file : nil
  }

  /// Copies the store's file to another snapshot's work file, and syncs it (g).
  ///
  /// The copy gets the original header and another store's attributes. The copy is checked, and so
  /// are the snapshot's files of large values.
  ///
  /// - Throws: ``ExchangeError/badSnapshot(_:reason:)`` if a file is missing or has another hash.
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
    // Start writing now, so that the sync below takes less time.
    copy.beginWriting()
    try refuse(problem(kept, receipt, isKept: copy.matches(receipt.snapshotHashes)))
    try copy.copyAttributes(of: store, FileAttribute.lasting)
    // The file's name is synced together with the header's (f.3).
    try copy.synchronize()
  }

  private func refuse(_ problem: String?) throws {
    if let problem { throw ExchangeError.badSnapshot(name, reason: problem) }
  }

  /// Describes how the snapshot differs from its receipt, with the store's file open.
  ///
  /// `isKept` says whether the bytes after the file's header are the receipt's.
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

  /// Returns the disk space that the folder's files use; blocks shared with other files count.
  package func allocatedBytes() throws(SystemError) -> Int64 {
    try openIfPresent()?.allocatedBytes() ?? 0
  }
}

extension Directory {
  /// Returns whether a name is that of a file, not of a folder, a link or a pipe.
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
