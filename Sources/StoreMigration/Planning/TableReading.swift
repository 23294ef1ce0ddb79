import OutboxCore
import OutboxFormat
import Platform
import SQLite
import StoreAccess
import RowRewriting
import OutboxConversion
import StoreProof

/// Reads one table for a plan with documented rows.
struct TableReading: Sendable {
  let rows: RowProgram
  let program: StoreProgram

  /// The owner of the rows; `nil` if it is neither given nor found.
  let owner: Value?
  let mask: ValueMask

  /// The columns for the deliverable form; `nil` if the table isn't Lume's outbox.
  let delivery: Delivery?

  /// A part of an outbox.
  enum Part {
    /// Open rows, rows of unknown status, rows that the V7 app wrote, and deletes that were sent.
    ///
    /// Only the deletes are history; the outcome of other rows depends on them.
    case queue

    /// All other rows.
    case rest
  }

  /// Reads every row of the store's table once.
  ///
  /// - Parameters:
  ///   - connection: A connection to the store.
  ///   - path: The store's path for a second, concurrent connection; `nil` if another process may
  ///     write to the store.
  /// - Returns: What was found, with the error for the rows that formulas refuse.
  /// - Throws: A ``RowError`` naming the first row that can't be carried otherwise. An error of
  ///   SQLite takes precedence, whichever part it occurs in.
  /// - Complexity: O(*n* log *n*) in the number of rows, in constant memory.
  func seen(_ connection: borrowing Connection, alsoIn path: String?) throws -> SeenRows {
    do {
      var seen =
        delivery == nil ? try read(nil, connection) : try bothParts(connection, alsoIn: path)
      if let failure = seen.failure { throw failure }
      if let refusal = seen.tally.refusal {
        seen.tally.refusal = try RowError(
          refusalIn: rows.completing(refusal, connection, schema: "main"))
      }
      return seen
    } catch {
      throw try rows.completing(error, connection, schema: "main")
    }
  }

  private func bothParts(
    _ connection: borrowing Connection, alsoIn path: String?
  ) throws -> SeenRows {
    var (seen, queue): (SeenRows, SeenRows)
    if let path {
      (seen, queue) = try concurrently(
        { try read(.rest, connection) }, { try read(.queue, in: path) })
    } else {
      (seen, queue) = (try read(.rest, connection), try read(.queue, connection))
    }
    seen.add(queue)
    return seen
  }

  /// Reads a part of the table through its own connection.
  func read(_ part: Part, in path: String) throws -> SeenRows {
    // The caller gives a path only if no other process uses the store.
    let connection = try OpenedStore.connection(to: path, isShared: false)
    try connection.begin(.deferred)
    let seen = try read(part, connection)
    try connection.rollback()
    return seen
  }

  /// Reads a part of the table, or the whole table if `part` is `nil`.
  private func read(_ part: Part?, _ connection: borrowing Connection) throws -> SeenRows {
    try rows.prepare(connection, schema: "main")
    var query = try connection.prepare(
      rows.query(schema: "main", where: condition(of: part)), isPersistent: true)
    var queue: QueueCount?
    if part == .queue, let delivery {
      queue = try QueueCount(rows, delivery, connection)
    }
    return try PlanPass(self, part, queue: queue).seen(&query, connection)
  }

  /// The SQL condition for the rows of a part; `nil` if all rows are read.
  ///
  /// A query may also return rows of the other part; the pass skips them by
  /// ``Part/contains(_:isHistory:)``.
  private func condition(of part: Part?) -> String? {
    guard let part, let delivery else { return nil }
    // BINARY compares bytes, as the pass does: by a column's own collation, a row could be in
    // neither part. `IS` and `IS NOT` give no NULL, so that rows without a status are in the queue.
    let status = "\(rows.expression(ofColumn: delivery.source.status)) COLLATE BINARY"
    let type = "\(rows.expression(ofColumn: delivery.source.eventType)) COLLATE BINARY"
    let completed = "'\(OutboxEventStatus.completed.rawValue)'"
    let types = EventKind.typesQueuedWhenSent.map { "'\($0)'" }.joined(separator: ", ")
    return switch part {
    case .queue: "(\(status) IS NOT \(completed) OR \(type) IN (\(types)))"
    case .rest: "\(status) IS \(completed)"
    }
  }
}

extension TableReading {
  /// Prepares to read the rows of a program.
  init(_ rows: RowProgram, of program: StoreProgram, owner: Value?, _ mask: ValueMask) {
    self.init(
      rows: rows, program: program, owner: owner, mask: mask,
      delivery: Delivery(rows, in: program.sourceLayout))
  }
}

extension TableReading.Part {
  /// Returns whether a row belongs to the part; every row belongs to exactly one.
  ///
  /// - Parameters:
  ///   - kind: The kind of its event; `nil` if no app wrote events of its type.
  ///   - isHistory: Whether it was sent, in the form of the versions up to V6.
  /// - Returns: `true` if the row belongs to the part.
  func contains(_ kind: EventKind?, isHistory: Bool) -> Bool {
    let isQueued = !isHistory || kind?.isQueuedWhenSent == true
    return (self == .queue) == isQueued
  }
}
