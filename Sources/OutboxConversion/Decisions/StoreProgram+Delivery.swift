import Migrations
import StoreFormat
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
