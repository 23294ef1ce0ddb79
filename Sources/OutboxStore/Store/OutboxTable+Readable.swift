import OutboxCore

extension OutboxTable {
  /// The SQL condition that a row can be read as an event.
  ///
  /// It checks in SQL what ``OutboxRow`` checks in Swift: a limit then counts only readable rows.
  var isReadable: String {
    func isUUID(_ attribute: Attribute) -> String {
      "typeof(\(self[attribute])) = 'blob' AND length(\(self[attribute])) = 16"
    }
    func isOf(_ types: String, _ attribute: Attribute) -> String {
      "typeof(\(self[attribute])) IN (\(types))"
    }
    return [
      isUUID(.id), isUUID(.entityID),
      "\(self[.eventType]) IN (\(Self.list(OutboxEventType.allCases.map(\.rawValue))))",
      "\(self[.status]) IN (\(Self.list(OutboxEventStatus.allCases.map(\.rawValue))))",
      isOf("'text'", .userID), isOf("'integer', 'real'", .createdAt),
      isOf("'integer', 'real', 'null'", .lastAttemptAt),
      isOf("'integer', 'real', 'null'", .completedAt),
      isOf("'text', 'null'", .errorMessage), isOf("'text', 'null'", .metadata),
      isOf("'integer'", .attemptCount), isOf("'integer'", .maxAttempts),
      isOf("'integer'", .priority), isOf("'integer'", .isNewRecord),
    ].joined(separator: " AND ")
  }

  /// Returns names as a list of SQL texts; they are constants that need no escaping.
  private static func list(_ names: [String]) -> String {
    names.map { "'\($0)'" }.joined(separator: ", ")
  }
}
