import Migrations
import RowRewriting
import SQLite
import StoreFormat

/// What a migration means for a store that mirrors to CloudKit.
extension Planner {
  /// Returns the losses of what the store records about rows of entities that the target lacks.
  func mirroringLosses(_ connection: borrowing Connection) throws(SQLiteError) -> [PlannedLoss] {
    guard let mirrored = MirroredMigration(store, route) else { return [] }
    let counts = try mirrored.rowCounts(connection)
    return route.entityLosses(counts).map {
      PlannedLoss(step: $0.step, object: "\($0.object) (CloudKit)", rows: $0.rows)
    }
  }

  func mirroringWarnings(_ connection: borrowing Connection) throws(SQLiteError) -> [PlanWarning] {
    guard let mirrored = MirroredMigration(store, route),
      let counts = try store.mirroringCounts(connection)
    else { return [] }
    let known = PlanWarning(
      code: MirroringObstacle.notRequested.code, rows: counts.records,
      message: "the store mirrors to CloudKit, which has records of these rows: "
        + "\(counts.uploads) to upload, \(counts.deletions) to delete")
    let changes = mirrored.schemaChanges.map(\.words).joined(separator: "; ")
    guard !changes.isEmpty else { return [known] }
    return [
      known,
      PlanWarning(
        code: "cloudkit-schema", rows: 0,
        message: "a production schema in the cloud can't follow: \(changes)"),
    ]
  }

  /// Returns what `apply` refuses because of the mirroring, in its order.
  func mirroringBlockers(_ connection: borrowing Connection) throws(SQLiteError) -> [PlanBlocker] {
    try (MirroredMigration(store, route)?.obstacles(to: request, connection) ?? []).map {
      PlanBlocker(
        code: $0.code, message: "the store mirrors to CloudKit: \($0)", rows: $0.rows,
        exitStatus: .unknownStore)
    }
  }
}
