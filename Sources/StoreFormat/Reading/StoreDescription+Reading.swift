package import SQLite
import StoreModel

extension StoreDescription {
  /// Reads the description of a store.
  ///
  /// - Parameters:
  ///   - connection: A connection to the store.
  ///   - schema: The schema of the store.
  /// - Throws: A ``StoreFormatError`` if the file isn't a database or doesn't have Core Data's
  ///   tables.
  package init(
    reading connection: borrowing Connection, schema: String = "main"
  ) throws(StoreFormatError) {
    var reader = DescriptionReader(schema: schema)
    do {
      textEncoding =
        try connection.pragma("\(quoteIdentifier(schema)).encoding").string ?? "UTF-8"
      tables = try reader.tables(connection)
      indexes = try reader.indexes(connection, tables: tables)
      triggers = try reader.triggers(connection)
      views = try reader.views(connection)
      undecodable = try reader.undecodable(connection)
      let names = Set(tables.map { $0.name.uppercased() })
      try Self.checkSystemTables(tables)
      entityNumbers = try reader.entityNumbers(connection)
      (metadata, metadataCount) = try reader.metadata(connection)
      (cachedModel, modelCacheCount) = try reader.cachedModel(
        connection, hasTable: names.contains("Z_MODELCACHE"))
      unreadable = reader.unreadable
      if let hashes = metadata?.hashes { cachedModel?.record(hashes) }
    } catch let error as SQLiteError {
      throw .sqlite(error)
    } catch let error as StoreFormatError {
      throw error
    } catch {
      preconditionFailure("reading a store throws only SQLite's errors and the format's own")
    }
  }
}

extension StoreDescription {
  /// Throws if a table that every store has is missing, or if a column of Core Data's own tables is.
  private static func checkSystemTables(
    _ tables: [TableDescription]
  ) throws(StoreFormatError) {
    for name in ["Z_METADATA", "Z_PRIMARYKEY"]
    where !tables.contains(where: { $0.name.uppercased() == name }) {
      throw .notAStore(missing: "table '\(name)'")
    }
    for table in tables {
      let columns = Set(table.columns.map { $0.name.uppercased() })
      let name = table.name.uppercased()
      let needed = (SystemTables.columns[name] ?? []) + (HistoryTables.columns[name] ?? [])
      for name in needed where !columns.contains(name) {
        throw .notAStore(missing: "column '\(name)' in the table '\(table.name)'")
      }
    }
  }
}

/// Reads the parts of a description, and collects those that can't be read.
private struct DescriptionReader {
  let schema: String
  var unreadable: [Finding] = []

  init(schema: String) {
    self.schema = schema
  }

  private var prefix: String { quoteIdentifier(schema) + "." }

  func tables(_ connection: borrowing Connection) throws(SQLiteError)
    -> [StoreDescription.TableDescription]
  {
    var tables: [StoreDescription.TableDescription] = []
    try rejectNUL(connection)
    let rows = try connection.rows(
      "SELECT name, sql FROM \(prefix)sqlite_schema WHERE type = 'table' ORDER BY rowid")
    for row in rows {
      guard let name = row[0].string, !name.hasPrefix("sqlite_") else { continue }
      var table = StoreDescription.TableDescription(
        name: name, sql: row[1].string ?? "", columns: [])
      // Reading the columns of a virtual table would load its module.
      if !table.isVirtual { table.columns = try columns(of: name, connection) }
      tables.append(table)
    }
    return tables
  }

  /// Throws if a name contains NUL: only a manipulated file can have one, because SQL ends at NUL.
  private func rejectNUL(_ connection: borrowing Connection) throws(SQLiteError) {
    let query =
      "SELECT 1 FROM \(prefix)sqlite_schema WHERE instr(name, char(0)) OR instr(tbl_name, char(0))"
    guard try connection.value(query) == nil else {
      // 11 is `SQLITE_CORRUPT`: <https://www.sqlite.org/rescode.html#corrupt>.
      throw SQLiteError(code: 11, message: "malformed database schema: a name contains NUL")
    }
  }

  func undecodable(_ connection: borrowing Connection) throws(SQLiteError) -> [String] {
    try connection.rows(
      """
      SELECT name, sql FROM \(prefix)sqlite_schema WHERE type IN ('table', 'index') ORDER BY rowid
      """
    ).filter { row in
      row.contains { value in
        value.bytes.map { String(validating: $0, as: UTF8.self) == nil } ?? false
      }
    }.compactMap { $0[0].string }
  }

  private func columns(
    of table: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [StoreDescription.ColumnDescription] {
    try connection.rows("PRAGMA \(prefix)table_xinfo(\(quoteIdentifier(table)))").map { column in
      StoreDescription.ColumnDescription(
        name: column[1].string ?? "", declaredType: column[2].string ?? "",
        isGenerated: column[6].int64 != 0)
    }
  }

  func indexes(
    _ connection: borrowing Connection, tables: [StoreDescription.TableDescription]
  ) throws(SQLiteError) -> [StoreDescription.IndexDescription] {
    var indexes: [StoreDescription.IndexDescription] = []
    let rows = try connection.rows(
      "SELECT name, tbl_name, sql FROM \(prefix)sqlite_schema WHERE type = 'index' ORDER BY rowid")
    var uniqueNames: Set<String> = []
    for table in Set(rows.compactMap { $0[1].string }) {
      let list = try connection.rows("PRAGMA \(prefix)index_list(\(quoteIdentifier(table)))")
      uniqueNames.formUnion(list.filter { $0[2].int64 == 1 }.compactMap { $0[1].string })
    }
    for row in rows {
      guard let name = row[0].string, let table = row[1].string else { continue }
      let columns = try connection.rows("PRAGMA \(prefix)index_info(\(quoteIdentifier(name)))")
      indexes.append(
        StoreDescription.IndexDescription(
          name: name, table: table, columns: columns.map { $0[2].string ?? "" },
          isUnique: uniqueNames.contains(name), sql: row[2].string))
    }
    return indexes
  }

  func triggers(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [StoreDescription.TriggerDescription] {
    try connection.rows(
      "SELECT name, sql FROM \(prefix)sqlite_schema WHERE type = 'trigger' ORDER BY rowid"
    ).map {
      StoreDescription.TriggerDescription(name: $0[0].string ?? "", sql: $0[1].string ?? "")
    }
  }

  func views(_ connection: borrowing Connection) throws(SQLiteError) -> [String] {
    try connection.rows(
      "SELECT name FROM \(prefix)sqlite_schema WHERE type = 'view' ORDER BY rowid"
    ).compactMap { $0[0].string }
  }

  func entityNumbers(_ connection: borrowing Connection) throws(SQLiteError)
    -> [StoreDescription.EntityNumber]
  {
    try connection.rows(
      "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM \(prefix)Z_PRIMARYKEY ORDER BY Z_ENT"
    ).map { row in
      StoreDescription.EntityNumber(
        number: row[0].int64 ?? 0, name: row[1].string ?? "", superNumber: row[2].int64 ?? 0,
        maximumKey: row[3].int64 ?? 0)
    }
  }

  mutating func metadata(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> (StoreMetadata?, Int64) {
    let count = try connection.value("SELECT count(*) FROM \(prefix)Z_METADATA")?.int64 ?? 0
    let rows = try connection.rows(
      "SELECT Z_UUID, Z_PLIST FROM \(prefix)Z_METADATA ORDER BY Z_VERSION LIMIT 1")
    guard let row = rows.first else {
      unreadable.append(Finding(.metadata, "Z_METADATA has no row"))
      return (nil, count)
    }
    guard case .blob(let bytes) = row[1] else {
      unreadable.append(Finding(.metadata, "Z_METADATA has no property list"))
      return (nil, count)
    }
    do throws(StoreFormatError) {
      return (try StoreMetadata(uuid: row[0].string ?? "", plist: bytes), count)
    } catch {
      unreadable.append(Finding(.metadata, error.description))
      return (nil, count)
    }
  }

  mutating func cachedModel(
    _ connection: borrowing Connection, hasTable: Bool
  ) throws(SQLiteError) -> (Model?, Int64) {
    guard hasTable else {
      unreadable.append(
        Finding(.modelCache, "the store has no model cache (table Z_MODELCACHE)"))
      return (nil, 0)
    }
    let count = try connection.value("SELECT count(*) FROM \(prefix)Z_MODELCACHE")?.int64 ?? 0
    let content = try connection.value(
      "SELECT Z_CONTENT FROM \(prefix)Z_MODELCACHE ORDER BY rowid LIMIT 1")
    guard case .blob(let bytes) = content else {
      unreadable.append(Finding(.modelCache, "the store's model cache is empty (Z_MODELCACHE)"))
      return (nil, count)
    }
    do {
      return (try ModelCache.decode(bytes), count)
    } catch {
      let reason = StoreFormatError.badModelCache("\(error)").description
      unreadable.append(Finding(.modelCache, reason))
      return (nil, count)
    }
  }
}
