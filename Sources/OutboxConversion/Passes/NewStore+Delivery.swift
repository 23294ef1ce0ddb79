import Migrations
import SQLite
package import RowRewriting

extension NewStore {
  /// Returns the store with a writer for deliverable rows of an outbox, if they are requested.
  ///
  /// - Parameter counts: A closure that receives the counts of the outbox's rows.
  /// - Returns: The store; the evaluator still writes other tables and documented rows.
  package func writingDeliverableRows(
    counts: @escaping (DeliveryCounts) -> Void = { _ in }
  ) -> NewStore {
    var store = self
    store.tableWriter = { rows, store, connection in
      guard let delivery = store.program.delivery(of: rows) else { return nil }
      let pass = try store.deliver(rows, delivery, connection)
      counts(pass.counts)
      return pass.tally
    }
    return store
  }

  /// Writes the deliverable rows of an outbox, and lists the others as ``SetAsideRows``.
  private func deliver(
    _ rows: RowProgram, _ delivery: Delivery, _ connection: borrowing Connection
  ) throws -> DeliveryPass {
    var pass = try DeliveryPass(rows, delivery, connection, schema: source)
    var setAside = try SetAsideRows(connection)
    try write(rows, connection) { row, insert in
      let outcome = try pass.outcome(of: row, connection)
      if let fate = outcome.fate {
        try setAside.insert(fate, of: row.int64(at: 0))
        return false
      }
      for place in rows.cells.indices {
        try insert.bind(pass.value(of: place, outcome, row), at: place + 1)
      }
      return true
    }
    return pass
  }
}

extension DeliveryPass {
  /// The counts in the form that all passes share.
  package var tally: Tally {
    var tally = Tally(program)
    tally.rows = counts.delivered
    if ownerless > 0 { tally.missingOptions[.userID] = ownerless }
    return tally
  }
}
