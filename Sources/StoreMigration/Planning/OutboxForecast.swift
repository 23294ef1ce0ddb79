import OutboxConversion
import RowRewriting
import SQLite
import StoreProof

/// What a plan says about the rows of a documented outbox, for the report of `apply`.
struct OutboxForecast: Sendable {
  /// The warnings about the rows.
  var warnings: [PlanWarning] = []

  /// What `--rows deliverable` would do with the rows; `nil` as in ``Plan/delivery``.
  var delivery: DeliveryCounts?

  /// Reads outboxes.
  ///
  /// - Complexity: O(*n* log *n*) in the number of their rows, in constant memory.
  init(_ outboxes: [TableReading], _ connection: borrowing Connection) throws {
    for outbox in outboxes {
      let seen = try outbox.seen(connection, alsoIn: nil)
      warnings += seen.warnings
      delivery = delivery ?? seen.delivery
    }
  }
}

extension Planner {
  /// Returns the readings of documented outboxes, which only a forecast needs.
  func outboxReadings(_ program: StoreProgram, owner: OwnerOption) -> [TableReading] {
    program.rewrites.filter {
      program.delivery(of: $0) == nil && OutboxAudit($0, owner: owner.value) != nil
    }
    .map { TableReading($0, of: program, owner: owner.value, mask) }
  }
}
