import SQLite
import StoreFormat
import StoreModel
import OutboxConversion
import Migrations
import StoreAccess
import RowRewriting
import StoreProof

/// Writes the new store into a temporary file and checks it as `apply` does, for a plan.
///
/// SQLite deletes the file when the connection closes. Nothing is written beside the store.
struct Rehearsal {
  /// The path of the store, as it was typed.
  let path: String
  let planner: Planner
  let program: StoreProgram

  /// What a rehearsal found.
  struct Outcome {
    /// Why the new store can't be written.
    var writing: [PlanBlocker] = []

    /// Why the new store can't replace the old one.
    var proof: [PlanBlocker] = []
  }

  /// The schemas of the old and the new store.
  private static let (oldSchema, newSchema) = ("old", "rehearsal")

  /// Rehearses the migration.
  ///
  /// - Throws: An error if the store can't be opened.
  /// - Complexity: As `apply`, on one thread.
  func outcome() throws -> Outcome {
    let connection = try Connection(path: "", mode: .temporary, followingLinks: false)
    try connection.keepLittleInMemory()
    try connection.attach(
      path: planner.files.path, as: Self.oldSchema,
      mode: planner.isUnshared ? .readOnlyUnshared : .readOnly)
    try connection.attach(path: "", as: Self.newSchema, mode: .temporary)
    let conflicts: [UniqueConflict]
    do {
      conflicts = try write(connection)
    } catch {
      return Outcome(writing: [try blocker(error)])
    }
    guard conflicts.isEmpty else { return Outcome(writing: conflicts.map(blocker)) }
    do {
      return Outcome(proof: try reasons(connection))
    } catch {
      return Outcome(proof: [try blocker(error)])
    }
  }

  /// Writes the new store; returns the rows because of which its indexes can't be built.
  private func write(_ connection: borrowing Connection) throws -> [UniqueConflict] {
    let store = NewStore(
      program: program, store: planner.store, target: planner.route.target,
      source: Self.oldSchema, schema: Self.newSchema
    ).writingDeliverableRows()
    do {
      _ = try store.write(connection)
      return []
    } catch let error as SQLiteError where error.isConstraint {
      // The rows are in the open transaction: indexes are built last. If it is a key that two rows
      // of a damaged table have, other tables aren't written yet, and there is no index to name.
      let conflicts = (try? program.uniqueConflicts(in: Self.newSchema, connection)) ?? []
      if conflicts.isEmpty { throw error }
      return conflicts
    }
  }

  private func reasons(_ connection: borrowing Connection) throws -> [PlanBlocker] {
    let proof = Proof(
      program: program, source: planner.store, target: planner.route.target,
      files: planner.replacedFiles ?? planner.files, setAside: nil)
    return try proof.reasons(in: Self.newSchema, from: Self.oldSchema, connection).map {
      finding in
      guard finding.check == .mandatoryValues, let rows = try rows(of: finding, connection) else {
        return PlanBlocker(
          MigrationError(.verification(VerificationError(path, findings: [finding.message]))))
      }
      return PlanBlocker(
        code: "missing-values",
        message: "\(finding.message): \(rows.text); "
          + "correct the rows in the app, or fill the values with a backfill in the migration",
        entity: rows.entity, keys: rows.keys, rows: rows.count, exitStatus: .verificationFailed)
    }
  }

  /// Returns the rows without a value in a mandatory attribute.
  private func rows(
    of finding: Finding, _ connection: borrowing Connection
  ) throws -> NamedRows? {
    let names = (finding.names.first ?? "").split(separator: ".", maxSplits: 1).map(String.init)
    let layout = program.targetLayout
    guard names.count == 2, let table = layout.table(of: names[0]),
      let column = table.attributeColumn(names[1], of: names[0])
    else { return nil }
    return try NamedRows(
      program.sourceName(of: names[0]),
      """
      SELECT Z_PK FROM \(qualified(table.name, in: Self.newSchema))
      WHERE \(quoteIdentifier(column)) IS NULL AND \(layout.numbering.condition(below: names[0]))
      ORDER BY Z_PK
      """, connection)
  }

  private func blocker(_ conflict: UniqueConflict) -> PlanBlocker {
    let error = MigrationError(.access(.brokenRule(path, rule: conflict.rule)))
    return PlanBlocker(
      code: "not-unique", message: error.description, entity: conflict.rows.entity,
      keys: conflict.rows.keys, rows: conflict.rows.count, exitStatus: error.exitStatus)
  }

  private func blocker(_ error: any Error) throws -> PlanBlocker {
    guard let known = MigrationError(known: error, path: path) else { throw error }
    return PlanBlocker(known)
  }
}
