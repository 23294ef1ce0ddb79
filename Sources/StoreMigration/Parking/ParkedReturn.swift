import Platform
import SQLite
import StoreFormat
import StoreModel

/// Puts parked values back into a new store that has a place for them again.
///
/// It happens after the proof, which knows nothing of them; what it changed is checked again.
struct ParkedReturn {
  let run: ApplyRun
  let snapshot: SnapshotFolder
  let program: StoreProgram

  /// Puts back what fits, and keeps the files in the snapshot.
  ///
  /// - Returns: The logical hash of the store afterwards and what to tell; none where nothing was
  ///   parked for it.
  func carryOut(_ connection: borrowing Connection) throws -> (hash: String, note: String)? {
    let names = try run.files.parkedFiles.filter { try isMeant($0) }
    guard !names.isEmpty else { return nil }
    try FileSystem.createDirectory(snapshot.returnedFolder, mode: 0o700)
    for name in names {
      let kept = try FileDescriptor(creating: "\(snapshot.returnedFolder)/\(name)")
      try kept.copyContents(of: try FileDescriptor(opening: "\(run.files.folder)/\(name)"))
      try kept.synchronize()
    }
    try FileSystem.synchronizeDirectory(snapshot.returnedFolder)
    try connection.attach(path: snapshot.workFile, as: NewStore.schema, mode: .readWrite)
    var (restored, left): (Int64, Int64) = (0, 0)
    for name in names {
      let outcome = try ParkedValues(file: "\(snapshot.returnedFolder)/\(name)").restore(
        into: NewStore.schema, layout: program.targetLayout, connection)
      restored += outcome.restored
      left += outcome.left
    }
    try raiseMaximumKeys(connection)
    try connection.detach(NewStore.schema)
    let back = counted(
      restored, "parked value or row was put back", "parked values or rows were put back")
    let rest =
      left == 0
      ? ""
      : "; " + counted(left, "no longer fits and stays", "no longer fit and stay")
        + " in '\(snapshot.name)/returned'"
    return (try check(connection), back + rest)
  }

  /// Values are for a store of the app that becomes what they were taken from.
  private func isMeant(_ name: String) throws -> Bool {
    let header = try ParkedValues(file: "\(run.files.folder)/\(name)").header()
    return header.app.isSameApp(as: run.route.target.app) && header.from == run.route.target.name
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

  private func check(_ connection: borrowing Connection) throws -> String {
    try connection.attach(path: snapshot.workFile, as: "returned", mode: .immutable)
    let store = try StoreDescription(reading: connection, schema: "returned")
    let failures = try StoreCheck(store, files: run.files, schema: "returned")
      .findings(connection).filter { $0.severity == .failure }
    guard failures.isEmpty else {
      throw MigrationError.verificationFailed(run.path, findings: failures.map(\.message))
    }
    let hash = try ContentHash(layout: program.targetLayout, store: store, schema: "returned")
      .value(connection)
    try connection.detach("returned")
    return hash
  }
}
