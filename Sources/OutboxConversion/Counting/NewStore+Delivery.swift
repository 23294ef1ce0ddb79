import Migrations
import StoreFormat
import SQLite
package import RowRewriting

extension StoreProgram {
  /// Returns the delivery of a table's program, if deliverable rows are requested.
  package func delivery(of rows: RowProgram) -> Delivery? {
    self.rows == .deliverable ? Delivery(rows, in: sourceLayout) : nil
  }

  /// The program of the outbox with its delivery, if deliverable rows are requested.
  package var delivery: (program: RowProgram, delivery: Delivery)? {
    for rows in rewrites {
      if let delivery = delivery(of: rows) { return (rows, delivery) }
    }
    return nil
  }
}

extension NewStore {
  /// Returns the store with a writer for deliverable rows of an outbox, if they are requested.
  ///
  /// - Parameter count: A closure that receives the counts of the outbox's rows.
  /// - Returns: The store; the evaluator still writes other tables and documented rows.
  package func delivering(_ count: @escaping (DeliveryCounts) -> Void = { _ in }) -> NewStore {
    var store = self
    store.tableWriter = { rows, store, connection in
      guard let delivery = store.program.delivery(of: rows) else { return nil }
      let pass = try store.deliver(rows, delivery, connection)
      count(pass.counts)
      return pass.tally
    }
    return store
  }

  /// Writes the deliverable rows of an outbox, and lists the others as ``DeliveryFates``.
  private func deliver(
    _ rows: RowProgram, _ delivery: Delivery, _ connection: borrowing Connection
  ) throws -> DeliveryPass {
    var pass = try DeliveryPass(rows, delivery, connection, schema: source)
    var fates = try DeliveryFates(connection)
    var query = try connection.prepare(rows.query(schema: source), isPersistent: true)
    let places = rows.table.columns.map { _ in "?" }.joined(separator: ", ")
    var insert = try connection.prepare(
      "INSERT INTO \(qualified(rows.table.name, in: schema)) VALUES (\(places))",
      isPersistent: true)
    while try query.step() {
      let outcome = try pass.outcome(of: query, connection)
      if let fate = outcome.fate {
        try fates.insert(fate, of: query.int64(at: 0))
        continue
      }
      do {
        for place in rows.cells.indices {
          try insert.bind(pass.value(of: place, outcome, query), at: place + 1)
        }
        try insert.run()
      } catch {
        throw rows.refusal(ofRow: query.int64(at: 0), for: error)
      }
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
