import StoreAccess
import StoreExchange
import JSONText
import Platform
import SQLite
import StoreFormat
import StoreModel
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Restores parked values to a new store that has a place for them again.
///
/// This happens after the proof, which doesn't cover them; the changed file is then checked again.
/// The letters in comments are those of the protocol in `Durability.md`.
struct ParkedReturn {
  /// The path of the store, as it was typed.
  let path: String
  let files: StoreFiles

  /// The store before the run, which is open as `main`.
  let source: StoreDescription
  let target: ModelVersion
  let snapshot: SnapshotFolder
  let program: StoreProgram

  /// Restores what fits, and keeps the files in the snapshot.
  ///
  /// - Returns: The content hash of the new store, and notes for the report; `nil` if no values are
  ///   parked. The hash is `nil` if no file is for the new version.
  func carryOut(
    _ connection: borrowing Connection
  ) throws -> (hash: String?, notes: [String])? {
    let parked = try ParkedFiles(beside: files, for: target)
    let (names, notes) = (parked.names, parked.notes)
    guard !names.isEmpty else { return notes.isEmpty ? nil : (nil, notes) }
    try snapshot.open().createDirectory(SnapshotFolder.Entry.returned.rawValue)
    for name in names {
      try snapshot.returnedFile(name).replace(withCopyOf: files.parkedFile(name))
    }
    try connection.attach(snapshot.file(.work), as: NewStore.schema, mode: .readWrite)
    var (restored, left): (Int64, Int64) = (0, 0)
    for name in names {
      let outcome = try ParkedValues(
        file: snapshot.returnedFile(name), model: target.model, schema: { _ in NewStore.schema }
      ).restore(
        into: NewStore.schema, layout: program.targetLayout, connection)
      restored += outcome.restored
      left += outcome.left
    }
    try raiseMaximumKeys(connection)
    try connection.detach(NewStore.schema)
    let back = counted(
      restored, "parked value or row was restored", "parked values or rows were restored")
    let rest =
      left == 0
      ? ""
      : "; " + counted(left, "no longer fits and stays parked", "no longer fit and stay parked")
        + " in '\(snapshot.name)/returned'"
    let check = WorkFileCheck(path: path, files: files)
    let hash = try check.contentHash(of: snapshot.file(.work), connection) { failures in
      var known = KnownFailures(explaining: failures)
      try known.add(source, schema: "main", through: program, files: files, connection)
      return known
    }
    return (hash, notes + [back + rest])
  }

  private func raiseMaximumKeys(_ connection: borrowing Connection) throws {
    let layout = program.targetLayout
    for table in layout.tables {
      guard let number = layout.numbering.number(of: table.rootEntity) else { continue }
      let rows = qualified(table.name, in: NewStore.schema)
      try connection.execute(
        """
        UPDATE \(qualified("Z_PRIMARYKEY", in: NewStore.schema))
        SET Z_MAX = max(Z_MAX, coalesce((SELECT max(Z_PK) FROM \(rows)), 0)) WHERE Z_ENT = ?1
        """, [.integer(Int64(number))])
    }
  }
}
