package import SQLite
package import StoreModel

/// An empty store, as the framework lays it out when an app opens a file for the first time.
///
/// Everything is computed from the model; nothing is written until ``write(to:)``.
package struct FreshStore: Hashable, Sendable {
  /// One statement with the values of its parameters.
  package struct Command: Hashable, Sendable {
    /// The statement, with `?` for each value.
    package let sql: String

    /// The values, in the order of the parameters.
    package let values: [Value]
  }

  /// The build of Core Data that new stores claim to come from: the one of iOS 18.
  package static let frameworkVersion: Int64 = 1414

  /// The tables and indexes.
  package let layout: StoreLayout

  /// What `Z_METADATA` will say.
  package let metadata: StoreMetadata

  /// The bytes of `Z_MODELCACHE`.
  package let modelCache: [UInt8]

  /// A Boolean value indicating whether the store has the tables of persistent history.
  package let hasHistory: Bool

  /// Lays out an empty store.
  ///
  /// - Parameters:
  ///   - model: The model the store is made for.
  ///   - uuid: The store's UUID, in its canonical upper-case text.
  ///   - frameworkVersion: The build of Core Data that the store claims to be written by.
  ///   - hasHistory: Whether to make the tables of history; SwiftData always does.
  /// - Throws: An ``ArchiveError`` for a model that can't be archived.
  package init(
    model: Model, uuid: String, frameworkVersion: Int64 = FreshStore.frameworkVersion,
    hasHistory: Bool = true
  ) throws(ArchiveError) {
    layout = StoreLayout(model)
    metadata = StoreMetadata(uuid: uuid, model: model, frameworkVersion: frameworkVersion)
    modelCache = try ModelCache.encode(model)
    self.hasHistory = hasHistory
    let numbering = layout.numbering
    superNumbers = numbering.names.map { name in
      Int64(model[name]?.superentityName.flatMap(numbering.number(of:)) ?? 0)
    }
  }

  private let superNumbers: [Int64]
}

extension FreshStore {
  /// What must be set before the first table is made; see `StoreFormat.md` §2.
  package static let settings = ["PRAGMA page_size = 4096", "PRAGMA auto_vacuum = 2"]

  /// The statements that make tables and indexes, in the framework's order (`StoreFormat.md` §7).
  package var createStatements: [String] {
    let tables = layout.tables.flatMap { table in
      let owned = layout.joinTables.filter {
        layout.numbering.root(of: $0.first.entity) == table.rootEntity
      }
      return [table.createStatement] + owned.map(\.createStatement)
    }
    let history = hasHistory ? HistoryTables.createStatements : []
    return tables + layout.indexes.map(\.createStatement) + SystemTables.createStatements + history
  }

  /// The rows of the system tables.
  ///
  /// History has no numbers yet: the framework gives them with the first save
  /// (`StoreFormat.md` §4).
  package var rows: [Command] {
    let numbers = zip(layout.numbering.names, superNumbers).enumerated().map { place, entity in
      Command(
        sql: "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)",
        values: [.integer(Int64(place + 1)), .text(entity.0), .integer(entity.1)])
    }
    let identity = Command(
      sql: "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
      values: [.text(metadata.uuid), .blob(metadata.plist)])
    let cache = Command(
      sql: "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", values: [.blob(modelCache)])
    return numbers + [identity, cache]
  }

  /// Writes the store into an empty database, in one transaction.
  ///
  /// The journal mode is left as it is; a store that an app left behind is in WAL mode.
  package func write(to connection: borrowing Connection) throws(SQLiteError) {
    for setting in Self.settings { try connection.execute(setting) }
    try connection.transaction { connection throws(SQLiteError) in
      for statement in createStatements { try connection.execute(statement) }
      for row in rows { try connection.execute(row.sql, row.values) }
    }
  }
}
