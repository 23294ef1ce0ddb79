import StoreModel
package import SQLite
package import StoreFormat
package import Migrations

/// Writes the migrated store into a new file beside the old one.
///
/// The old store is read through `main` by default, and the new one is written through an attached
/// schema. Tables that no step changes are copied record by record. Other tables are written once,
/// however many migrations there are.
package struct NewStore {
  package let program: StoreProgram
  package let store: StoreDescription
  package let target: ModelVersion

  /// The indexes that are copied and made.
  let indexes: IndexPlan

  /// The schema of the old store.
  package var source: String

  /// The schema under which the new file is attached.
  package var schema: String

  /// Writes the rows of some tables instead of the evaluator.
  package var tableWriter: TableWriter?

  /// Writes the rows of one table and returns the counts; `nil` for a table that it doesn't handle.
  package typealias TableWriter = (
    _ rows: RowProgram, _ store: NewStore, _ connection: borrowing Connection
  ) throws -> Tally?

  package init(
    program: StoreProgram, store: StoreDescription, target: ModelVersion, source: String = "main",
    schema: String = NewStore.schema
  ) {
    self.program = program
    self.store = store
    self.target = target
    indexes = IndexPlan(of: program, in: store)
    self.source = source
    self.schema = schema
  }

  /// The default name of the new file's schema.
  package static let schema = "new"

  /// Writes the attached file in one transaction, and returns the counts by table of the target.
  package func write(_ connection: borrowing Connection) throws -> [String: Tally] {
    try configure(connection)
    try connection.begin(.deferred)
    var tallies: [String: Tally] = [:]
    for action in program.actions { try run(action, connection, &tallies) }
    // After the rows: SQLite builds an index at once faster than it updates it for every row.
    for statement in try indexStatements { try connection.execute(statement) }
    for statement in try systemStatements { try connection.execute(statement) }
    for statement in try historyStatements { try connection.execute(statement) }
    try copyUnmodeledTables(connection)
    for statement in triggerStatements() { try connection.execute(statement) }
    try connection.commit()
    return tallies
  }

  /// Writes only the tables that aren't copied unchanged, which is enough for a comparison.
  package func writeChangedTables(_ connection: borrowing Connection) throws {
    try connection.begin(.deferred)
    var tallies: [String: Tally] = [:]
    for action in program.actions {
      if case .carry = action { continue }
      try run(action, connection, &tallies)
    }
    for table in store.renumberedTables(by: program) {
      try connection.execute(create(table.sql))
      try connection.execute(renumberedCopy(of: table, rowID: []))
    }
    try connection.commit()
  }

  /// Sets the page size, vacuum mode and header numbers to those of the old file.
  ///
  /// The new file needs no durable journal and no syncing before the exchange, because an
  /// incomplete file is discarded.
  package func configure(_ connection: borrowing Connection) throws {
    let pageSize = try connection.pragma("\(source).page_size").int64 ?? 4096
    let autoVacuum = try connection.pragma("\(source).auto_vacuum").int64 ?? 2
    let userVersion = try connection.pragma("\(source).user_version").int64 ?? 0
    let applicationID = try connection.pragma("\(source).application_id").int64 ?? 0
    // Setting the vacuum mode writes to the file, so it comes after `synchronous = OFF`.
    try connection.execute(
      """
      PRAGMA \(schema).synchronous = OFF;
      PRAGMA \(schema).journal_mode = MEMORY;
      PRAGMA \(schema).secure_delete = OFF;
      PRAGMA \(schema).page_size = \(pageSize);
      PRAGMA \(schema).auto_vacuum = \(autoVacuum);
      PRAGMA \(schema).user_version = \(userVersion);
      PRAGMA \(schema).application_id = \(applicationID);
      """)
    try connection.rememberIndexes(schema, asLargeAs: source, limit: 2_048)
  }
}
