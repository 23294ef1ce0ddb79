package import SQLite
import StoreFormat

/// Writing into a copy of the old file.
extension NewStore {
  /// Writes what changes into the attached copy in one transaction.
  ///
  /// The journal is in a file, because its size depends on how much changes. What is removed is
  /// overwritten with zeros, so that nothing of it remains on free pages.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/pragma.html#pragma_secure_delete>
  ///
  /// - Returns: The counts by table of the target.
  package func change(
    _ plan: CopyPlan, _ connection: borrowing Connection
  ) throws -> [String: Tally] {
    try connection.execute(
      """
      PRAGMA \(schema).synchronous = OFF;
      PRAGMA \(schema).journal_mode = DELETE;
      PRAGMA \(schema).secure_delete = ON;
      """)
    try connection.rememberIndexes(schema, asLargeAs: source, limit: 2_048)
    try connection.begin(.deferred)
    for name in plan.removedIndexes {
      try connection.execute("DROP INDEX \(qualified(name, in: schema))")
    }
    for name in plan.removedTables {
      try connection.execute("DROP TABLE \(qualified(name, in: schema))")
    }
    var tallies: [String: Tally] = [:]
    for action in program.actions {
      if case .carry = action { continue }
      try run(action, connection, &tallies)
    }
    for statement in try indexStatements + systemStatements + historyChanges {
      try connection.execute(statement)
    }
    for table in store.renumberedTables(by: program) {
      for statement in try renumberedStatements(table, connection) {
        try connection.execute(statement)
      }
    }
    try copySequences(connection)
    try createMissingTriggers(connection)
    try connection.commit()
    return tallies
  }

  /// Creates the triggers that were removed with their tables.
  private func createMissingTriggers(_ connection: borrowing Connection) throws {
    let present = try connection.rows(
      "SELECT name FROM \(schema).sqlite_schema WHERE type = 'trigger'"
    ).compactMap { $0[0].string }
    for statement in triggerStatements(besides: Set(present)) {
      try connection.execute(statement)
    }
  }
}
