package import SQLite
package import StoreModel

/// An empty store, as Core Data creates it when an app first opens a file.
///
/// The contents are computed from the model. Only ``write(to:)`` writes them.
package struct FreshStore: Hashable, Sendable {
  /// A statement with its parameter values.
  package struct Command: Hashable, Sendable {
    /// The statement, with `?` for each value.
    package let sql: String

    /// The values, in parameter order.
    package let values: [Value]
  }

  /// The Core Data build that new stores record as their writer: that of iOS 18.
  package static let frameworkVersion: Int64 = 1414

  /// The tables and indexes.
  package let layout: StoreLayout

  /// The contents of `Z_METADATA`.
  package let metadata: StoreMetadata

  /// The contents of `Z_MODELCACHE`.
  package let modelCache: [UInt8]

  /// Whether the store has tables of persistent history.
  package let hasHistory: Bool

  /// Whether the store has the tables of mirroring to CloudKit.
  package let isMirrored: Bool

  /// Computes the contents of an empty store.
  ///
  /// - Parameters:
  ///   - model: The store's model.
  ///   - uuid: The store's UUID as canonical uppercase text.
  ///   - frameworkVersion: The Core Data build to record as the writer.
  ///   - hasHistory: Whether to create the tables of persistent history, as SwiftData always does.
  ///   - isMirrored: Whether to create the tables of mirroring to CloudKit, and those of history.
  /// - Throws: An ``ArchiveError`` if the model can't be archived.
  package init(
    model: Model, uuid: String, frameworkVersion: Int64 = FreshStore.frameworkVersion,
    hasHistory: Bool = true, isMirrored: Bool = false
  ) throws(ArchiveError) {
    if let index = model.spatialIndexes.first { throw .spatialIndex(index) }
    layout = StoreLayout(model)
    metadata = StoreMetadata(uuid: uuid, model: model, frameworkVersion: frameworkVersion)
    modelCache = try ModelCache.encode(model)
    // Core Data mirrors only what is in the history.
    self.hasHistory = hasHistory || isMirrored
    self.isMirrored = isMirrored
    let numbering = layout.numbering
    superNumbers = numbering.names.map { name in
      Int64(model[name]?.superentityName.flatMap(numbering.number(of:)) ?? 0)
    }
  }

  private let superNumbers: [Int64]
}

extension FreshStore {
  /// The settings to apply before the first table is created (`StoreFormat.md` §2).
  package static let settings = ["PRAGMA page_size = 4096", "PRAGMA auto_vacuum = 2"]

  /// The statements that create tables and indexes, in Core Data's order (`StoreFormat.md` §7).
  package var createStatements: [String] {
    let tables = layout.tables.flatMap { table in
      let owned = layout.joinTables.filter {
        layout.numbering.root(of: $0.first.entity) == table.rootEntity
      }
      return [table.createStatement] + owned.map(\.createStatement)
    }
    let history = hasHistory ? HistoryTables.createStatements : []
    let mirroring = isMirrored ? MirroringTables.createStatements : []
    return tables + layout.allIndexes.map(\.createStatement) + SystemTables.createStatements
      + history + mirroring
  }

  /// The rows of the system tables.
  ///
  /// History entities have no rows yet: Core Data adds them with the first save (`StoreFormat.md`
  /// §4).
  package var rows: [Command] {
    let numbers = zip(layout.numbering.names, superNumbers).enumerated().map { index, entity in
      Command(
        sql: "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)",
        values: [.integer(Int64(index + 1)), .text(entity.0), .integer(entity.1)])
    }
    let identity = Command(
      sql: "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
      values: [.text(metadata.uuid), .blob(metadata.plist)])
    let cache = Command(
      sql: "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", values: [.blob(modelCache)])
    return numbers + [identity, cache]
  }

  /// Writes the store to an empty database, in one transaction.
  ///
  /// The journal mode isn't changed; stores of apps are in WAL mode.
  package func write(to connection: borrowing Connection) throws(SQLiteError) {
    for setting in Self.settings { try connection.execute(setting) }
    try connection.transaction { connection throws(SQLiteError) in
      for statement in createStatements { try connection.execute(statement) }
      for row in rows { try connection.execute(row.sql, row.values) }
    }
  }
}
