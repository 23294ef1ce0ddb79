import OutboxCore
import StoreFormat
import SQLite

extension OutboxTable {
  /// Adds a row for an event, with the store's next key.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - metadata: The text of the event's metadata.
  ///   - connection: The store, in a transaction.
  /// - Returns: The row's key.
  /// - Throws: SQLite's error.
  func insert(
    _ event: OutboxEvent, metadata: String?, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    let key = try keys.next(connection)
    let values = Attribute.allCases.map { event.stored($0, metadata: metadata) }
    let columns =
      ["Z_PK", "Z_ENT", "Z_OPT"] + Attribute.allCases.map { self[$0] } + extras.map(\.column)
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    try connection.execute(
      "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(places))",
      [.integer(key), .integer(entityNumber), .integer(1)] + values
        + extras.map { $0.value ?? .null })
    return key
  }
}

extension OutboxEvent {
  /// Returns the value for the column of an attribute.
  fileprivate func stored(_ attribute: OutboxTable.Attribute, metadata: String?) -> Value {
    switch attribute {
    case .id: .blob(id.bytes)
    case .eventType: .text(eventType.rawValue)
    case .entityID: .blob(entityID.bytes)
    case .userID: .text(userID)
    case .status: .text(status.rawValue)
    case .createdAt: createdAt.stored
    case .lastAttemptAt: lastAttemptAt.map(\.stored) ?? .null
    case .attemptCount: .integer(Int64(attemptCount))
    case .maxAttempts: .integer(Int64(maxAttempts))
    case .errorMessage: errorMessage.map { .text($0) } ?? .null
    case .completedAt: completedAt.map(\.stored) ?? .null
    case .metadata: metadata.map { .text($0) } ?? .null
    case .priority: .integer(Int64(priority))
    case .isNewRecord: .integer(isNewRecord ? 1 : 0)
    }
  }
}
