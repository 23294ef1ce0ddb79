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
    return try problem(file, receipt, isKept: receipt.isSnapshot(file))
  }

  /// Checks the snapshot with its store's file open.
  func check(_ receipt: Receipt, file: borrowing FileDescriptor) throws {
    try check(receipt, file: file, isKept: receipt.isSnapshot(file))
  }

  /// Checks the snapshot with its store's file open, whose bytes were compared already.
  ///
  /// `isKept` says whether the bytes after the file's header are the receipt's.
  func check(_ receipt: Receipt, file: borrowing FileDescriptor, isKept: Bool) throws {
    try refuse(problem(file, receipt, isKept: isKept))
  }

  private func refuse(_ problem: String?) throws {
    if let problem { throw ExchangeError.badSnapshot(name, reason: problem) }
  }

  /// Describes how the snapshot differs from its receipt, with the store's file open.
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
        try external.open(name).matches(expected)
      else { return large }
    }
    return nil
  }

  /// Returns the disk space that the folder's files use; blocks shared with other files count.
  package func allocatedBytes() throws(SystemError) -> Int64 {
    try openIfPresent()?.allocatedBytes() ?? 0
  }
}

extension Receipt {
  /// Returns whether a file has the bytes that the run kept, whatever its header is.
  ///
  /// - Throws: A ``SystemError`` if the file can't be read.
  /// - Complexity: O(*n*) in the file's bytes.
  func isSnapshot(_ file: borrowing FileDescriptor) throws(SystemError) -> Bool {
    try file.matches(snapshotHash, replacingHeader: header)
  }
}

extension Directory {
  /// Returns whether a name is that of a file, not of a folder, a link or a pipe.
  func isFile(_ name: String) throws(SystemError) -> Bool {
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
