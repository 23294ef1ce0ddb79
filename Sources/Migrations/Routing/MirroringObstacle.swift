import StoreModel

/// A reason why a store that mirrors to CloudKit isn't migrated.
package enum MirroringObstacle: Hashable, Sendable {
  /// The request doesn't say what to do with the state of the mirroring.
  case notRequested

  /// Deliverable rows are requested, which leave out rows that the cloud may have.
  case deliverableRows

  /// An edit writes rows without history.
  case edit

  /// A repair changes rows without history.
  case repair

  /// The mirroring knows rows of an entity that gets another name.
  case renamed(entity: String, to: String, rows: Int64)

  /// The migration removes rows of an entity of which the mirroring knows rows.
  case removed(entity: String, rows: Int64)

  /// The migration splits or inlines an entity of which the mirroring knows rows.
  case restructured(entity: String, rows: Int64)

  /// Rows of a table are about entities that the model doesn't have.
  case stray(table: String, rows: Int64)

  /// A stable code for scripts.
  package var code: String {
    switch self {
    case .notRequested: Self.mirroredCode
    case .deliverableRows, .edit, .repair, .removed, .restructured: "cloudkit-rows"
    case .renamed: "cloudkit-renamed"
    case .stray: "cloudkit-stray"
    }
  }

  /// The code of everything that is about a mirrored store as such.
  package static let mirroredCode = "cloudkit"

  /// The number of rows that it is about.
  package var rows: Int64 {
    switch self {
    case .notRequested, .deliverableRows, .edit, .repair: 0
    case .removed(_, let rows), .restructured(_, let rows), .renamed(_, _, let rows),
      .stray(_, let rows):
      rows
    }
  }
}

extension MirroringObstacle: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notRequested:
      "a migration has to change what it records about the cloud, which was never tried with a "
        + "real mirrored store; to accept that, give '--cloudkit carry'"
    case .deliverableRows:
      "deliverable rows leave out rows that the cloud may have; leave out '--rows'"
    case .edit: "what the tool writes into it wouldn't reach the cloud; change the rows in the app"
    case .repair:
      "what a repair writes into it wouldn't reach the cloud; restore a snapshot or a backup, or let the "
        + "app fetch its rows into a new store: what it hasn't sent is only in this one"
    case .renamed(let entity, let name, let rows):
      "\(counted(rows, "row", "rows")) of its mirroring \(rows == 1 ? "is" : "are") about "
        + "'\(entity)', which can't become '\(name)': in the cloud, that is another record type"
    case .removed(let entity, let rows):
      "\(counted(rows, "row", "rows")) of its mirroring \(rows == 1 ? "is" : "are") about "
        + "'\(entity)', of which the migration removes rows that the cloud would keep; "
        + "remove them in the app"
    case .restructured(let entity, let rows):
      "\(counted(rows, "row", "rows")) of its mirroring \(rows == 1 ? "is" : "are") about "
        + "'\(entity)', whose values the migration moves to rows that the cloud wouldn't get; "
        + "move them in the app"
    case .stray(let table, let rows):
      "\(counted(rows, "row", "rows")) of '\(table)' \(rows == 1 ? "is" : "are") about an entity "
        + "that isn't in the model, and could become another entity's; see 'verify'"
    }
  }
}
