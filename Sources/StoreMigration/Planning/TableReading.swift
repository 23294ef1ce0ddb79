import OutboxFormat
import Platform
import SQLite
import StoreFormat
import Migrations
import StoreAccess
import RowRewriting
import OutboxConversion
import StoreProof

/// What a plan reads of one table whose rows are written as documented.
struct TableReading: Sendable {
  let rows: RowProgram
  let program: StoreProgram

  /// Whose the rows are, where that was given or found.
  let owner: Value?
  let mask: ValueMask

  /// What the form is that the app sends; none of a table that is no outbox.
  let delivery: Delivery?

  /// A part of an outbox.
  enum Part {
    /// The rows that aren't history, and of that the deletes, on which others depend.
    ///
    /// Not history are the open rows, those of a status that there isn't, and what the V7 app wrote.
    case queue

    /// All others.
    case rest
  }

  /// Reads every row of the store's table, once.
  ///
  /// - Parameters:
  ///   - connection: A connection to the store.
  ///   - path: The store's path, where another connection reads the same; none where it may not.
  /// - Returns: What was seen.
  /// - Throws: ``MigrationError/value(entity:key:attribute:reason:)`` naming the first row that can't
  ///   be carried. An error of SQLite's comes before it, whichever part it is in.
  /// - Complexity: O(*n* log *n*) in the number of rows, in constant memory.
  func seen(_ connection: borrowing Connection, alsoIn path: String?) throws -> SeenRows {
    let seen =
      delivery == nil ? try read(nil, connection) : try bothParts(connection, alsoIn: path)
    if let failure = seen.failure { throw failure }
    return seen
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

  /// Reads a part of the table through a connection of its own.
  func read(_ part: Part, in path: String) throws -> SeenRows {
    let connection = try OpenedStore.connection(to: path, isShared: false)
    try connection.begin(.deferred)
    let seen = try read(part, connection)
    try connection.rollback()
    return seen
  }

  /// Reads a part of the table; where none is named, the whole.
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

  /// What holds of the rows of a part, in SQL; nothing where all are read.
  ///
  /// Some other rows may come along, which the pass leaves to the other part by ``Part/contains(_:isHistory:)``.
  private func condition(of part: Part?) -> String? {
    guard let part, let delivery else { return nil }
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
  /// Returns whether a row is of the part.
  ///
  /// - Parameters:
  ///   - kind: The kind of its event; none of a type that no app wrote.
  ///   - isHistory: Whether it was sent, in the form of the versions up to V6.
  /// - Returns: Whether it is; every row is of one part.
  func contains(_ kind: EventKind?, isHistory: Bool) -> Bool {
    let isQueued = !isHistory || kind?.isQueuedWhenSent == true
    return (self == .queue) == isQueued
  }
}
