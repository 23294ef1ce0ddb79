import Migrations
import Platform
import RowRewriting
import SQLite
import StoreAccess
import StoreExchange
import StoreFormat
import StoreProof

/// The work file, which begins empty or as a copy of the old file.
extension ApplyRun {
  /// Writes the new store into the work file, and proves it (e).
  ///
  /// A copy of a damaged file is as damaged. The store is then written into an empty file, which
  /// gets all rows that can be read.
  func build(
    in snapshot: SnapshotFolder, from store: borrowing ExclusiveStore,
    _ progress: (ApplyPhase) -> Void
  ) throws -> (Replacement.Draft, Outcome) {
    do {
      return try build(in: snapshot, from: store, beginningAs: request.fileOrigin, progress)
    } catch is DamagedOriginal {
      try snapshot.removeBuiltFiles()
      return try build(in: snapshot, from: store, beginningAs: .new, progress)
    }
  }

  private func build(
    in snapshot: SnapshotFolder, from store: borrowing ExclusiveStore,
    beginningAs origin: MigrationRequest.FileOrigin?, _ progress: (ApplyPhase) -> Void
  ) throws -> (Replacement.Draft, Outcome) {
    progress(.writing)
    let written = try write(in: snapshot, from: store, beginningAs: origin)
    progress(.proving)
    return try prove(written, in: snapshot, against: store)
  }

  /// Returns what to write if the work file is a copy; `nil` if it is empty.
  func copiedFile(
    for new: NewStore, beginningAs origin: MigrationRequest.FileOrigin?,
    from store: borrowing ExclusiveStore
  ) throws -> CopiedFile? {
    // With a log, the file alone isn't the store.
    if try store.files.hasLog { return nil }
    return try new.copyPlan(for: origin, of: store.file, store.connection)
      .map { CopiedFile(plan: $0, old: store.file) }
  }

  /// Creates the work file and attaches it.
  func createWorkFile(
    in snapshot: SnapshotFolder, from store: borrowing ExclusiveStore, isCopied: Bool
  ) throws {
    if isCopied {
      try snapshot.copyWorkFile(of: store.file.descriptor)
    } else {
      try snapshot.createWorkFile()
    }
    try store.connection.attach(
      snapshot.file(.work), as: NewStore.schema, mode: .readWriteAlone)
  }

  /// Returns the error to report for rows that can't be written; the store is rolled back.
  ///
  /// - Throws: ``DamagedOriginal`` if SQLite found damage in a copy of the old file.
  func ending(
    _ error: any Error, isCopied: Bool, _ program: StoreProgram, _ connection: borrowing Connection
  ) throws -> any Error {
    // The rows are still there.
    let named = naming(error, program, connection)
    try? connection.rollback()
    guard isCopied, (error as? SQLiteError)?.isCorrupt == true else { return named }
    // A damaged copy may not have been attached.
    try? connection.detach(NewStore.schema)
    throw DamagedOriginal()
  }
}
