import Migrations
import RowRewriting
import SQLite
import StoreProof

/// What a plan says of entities that are split or inlined.
extension StoreProgram {
  /// Returns the entities, with the numbers of rows in each class.
  func splitRows(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [PlannedConversion] {
    try removals?.prepare(connection, schema: "main")
    var made: [PlannedConversion] = []
    for split in splits {
      try split.prepare(connection, schema: "main")
      let counts = try split.counts(connection, schema: "main")
      made.append(
        PlannedConversion(
          object: split.object, target: split.target,
          rows: counts.parts + counts.shared + counts.empty,
          classes: [
            ClassCount(name: "split", count: counts.parts),
            ClassCount(name: "shared", count: counts.shared),
            ClassCount(name: "nil", count: counts.empty),
          ]))
    }
    for rows in inlines {
      let counts = try rows.counts(connection, schema: "main")
      made.append(
        PlannedConversion(
          object: rows.object, target: rows.path,
          rows: counts.inlined + counts.shared + counts.empty + counts.leftOut,
          classes: [
            ClassCount(name: "inlined", count: counts.inlined),
            ClassCount(name: "shared", count: counts.shared),
            ClassCount(name: "nil", count: counts.empty),
            ClassCount(name: "left-out", count: counts.leftOut),
          ]))
    }
    return made
  }

  /// Returns the rows that no row links to, and the values of the others that steps drop.
  func leftOutRows(_ connection: borrowing Connection) throws(SQLiteError) -> [PlannedLoss] {
    try removals?.prepare(connection, schema: "main")
    var losses: [PlannedLoss] = []
    for rows in inlines {
      let counts = try rows.counts(connection, schema: "main")
      losses.append(PlannedLoss(step: rows.step, object: rows.object, rows: counts.leftOut))
      losses += try rows.droppedValues(connection, schema: "main").map {
        PlannedLoss(step: $0.step, object: $0.object, rows: $0.rows)
      }
    }
    return losses
  }
}
