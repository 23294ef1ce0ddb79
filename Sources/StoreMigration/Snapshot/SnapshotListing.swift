import StoreAccess
import StoreExchange
import StoreFormat

extension StoreMigrator {
  /// Lists the snapshots of a store, without changing a byte.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - checks: Whether to compare the snapshots with the hashes in their receipts.
  /// - Returns: The snapshots, oldest first.
  /// - Throws: A ``MigrationError`` if the store or a folder can't be read.
  /// - Complexity: O(*n*) in the snapshots' bytes if they are checked, else in the number of their
  ///   files.
  public func snapshots(
    of path: String, checks: Bool = false
  ) throws(MigrationError) -> SnapshotListReport {
    try reported(path) {
      let files = try StoreFiles(resolving: path)
      try files.checkHeader(typed: path)
      let snapshots = try SnapshotListing(path: path, files: files, checks: checks).reports()
      let next = snapshots.first(where: \.isNext)
      return SnapshotListReport(
        path: path, snapshots: snapshots, isChecked: checks,
        lacksMigrations: next?.receipt.map(catalog.lacksMigrations) ?? false)
    }
  }
}

/// The snapshots of a store as reports.
struct SnapshotListing {
  /// The path as it was typed.
  let path: String
  let files: StoreFiles

  /// Whether to compare the snapshots with their receipts' hashes.
  let checks: Bool

  /// The snapshots, oldest first.
  func reports() throws -> [SnapshotReport] {
    let next = try next()
    return try SnapshotFolder.all(of: files).map { try report(on: $0, isNext: $0.name == next) }
  }

  /// Returns the name of the snapshot that a rollback restores; `nil` if it would be refused.
  private func next() throws -> String? {
    do {
      return try SnapshotFolder.newest(of: files)?.0.name
    } catch ExchangeError.badSnapshot {
      return nil
    }
  }

  private func report(on folder: SnapshotFolder, isNext: Bool) throws -> SnapshotReport {
    var isReadable = true
    var receipt: Receipt?
    do {
      receipt = try folder.receipt()
    } catch ExchangeError.badSnapshot {
      isReadable = false
    }
    let isDone = try receipt.map { try folder.isDone($0) } ?? false
    let state: SnapshotReport.State = isReadable ? isDone ? .done : .unfinished : .unreadable
    var problem = state == .unreadable ? "its receipt can't be read" : nil
    if let receipt, state == .done, checks { problem = try folder.problem(receipt) }
    return SnapshotReport(
      name: folder.name, path: folder.path(beside: path), state: state, receipt: receipt,
      bytes: try folder.allocatedBytes(), isNext: isNext, problem: problem)
  }
}
