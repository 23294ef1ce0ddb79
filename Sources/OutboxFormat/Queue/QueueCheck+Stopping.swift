import OutboxCore
package import SQLite

extension QueueCheck {
  /// Counts the rows that stop the app's queue: it picks them up and doesn't know their event type.
  ///
  /// - Returns: The number of rows by event type, where ``EventKind/otherName`` stands for all types
  ///   that no app wrote.
  /// - Complexity: O(*n*) in the number of rows, in constant memory.
  package func unknownTypes(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [String: Int64] {
    var types: [String: Int64] = [:]
    var row = try connection.prepare(unknownTypesQuery)
    while try row.step() {
      let name = row.string(at: 0)
      if let name, OutboxEventType(rawValue: name) != nil { continue }
      let kind = name.flatMap { EventKind.kind(named: $0) }
      types[kind.map { EventKind.names[$0.index] } ?? EventKind.otherName, default: 0] += row.int64(
        at: 1)
    }
    return types
  }
}
