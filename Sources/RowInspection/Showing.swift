import Migrations
import RowRewriting
import SQLite
import StoreAccess
import StoreFormat
package import StoreMigration
import StoreModel
import StoreProof

/// Which rows to show.
package enum RowQuery: Hashable, Sendable {
  /// Rows, each as a UUID or as `Entity/key`.
  case rows([String])

  /// Rows of an entity for which a condition is true; `nil` for all rows.
  ///
  /// At most `limit` rows are shown; all are counted.
  case matching(entity: String, condition: String?, limit: Int)
}

extension StoreMigrator {
  /// Shows rows by the model in the store, without changing a byte of it.
  ///
  /// The store may be of any app and version, and may be torn: properties without a column are
  /// marked.
  ///
  /// - Parameters:
  ///   - query: The rows.
  ///   - path: The path of the store's main file.
  ///   - showsValues: Whether fingerprints come with their values, except secrets.
  /// - Returns: The rows.
  /// - Throws: A ``RowQueryError`` if the store can't be read or has no model, if it doesn't have
  ///   a row or the entity, or if the condition is wrong.
  /// - Complexity: O(n) in the number of the entity's rows for a condition, in constant memory.
  package func rows(
    _ query: RowQuery, of path: String, showsValues: Bool = false
  ) throws(RowQueryError) -> RowListing {
    let found: Result<RowListing, RowQueryError>
    do throws(MigrationError) {
      found = try reported(path) {
        let inspection = try StoreInspection(path: path, catalog: catalog)
        guard let model = inspection.store.cachedModel ?? inspection.recognition.version?.model
        else { throw VersionError.noModel(path, reasons: inspection.store.problems) }
        let reader = RowReader(
          inspection.store, model: model, files: inspection.files,
          mask: ValueMask(of: [inspection.store], showsValues: showsValues))
        return try inspection.reading {
          try inspection.connection.begin(.deferred)
          do {
            return .success(try reader.listing(query, of: path, inspection.connection))
          } catch let error as RowQueryError {
            return .failure(error)
          }
        }
      }
    } catch {
      throw .store(error)
    }
    return try found.get()
  }
}

extension RowReader {
  fileprivate func listing(
    _ query: RowQuery, of path: String, _ connection: borrowing Connection
  ) throws -> RowListing {
    switch query {
    case .rows(let words):
      var rows: [ShownRow] = []
      for word in words { rows.append(try row(try place(word, connection), connection)) }
      return RowListing(path: path, selection: nil, rows: rows)
    case .matching(let typed, let condition, let limit):
      let name =
        layout.numbering.names.first { $0 == typed }
        ?? layout.numbering.names.first { $0.lowercased() == typed.lowercased() } ?? typed
      try checkTables(of: [name])
      let finder = RowFinder(layout: layout, model: model)
      // The finder's error names the entities; no row has this key.
      _ = try finder.rows(.key(entity: typed, .min), connection)
      return try matching(name, condition, limit: limit, of: path, connection)
    }
  }

  /// Returns the row that a word names.
  private func place(_ word: String, _ connection: borrowing Connection) throws -> RowPlace {
    guard let address = RowAddress(word) else { throw RequestError.badRow(word) }
    switch address {
    case .key(let entity, _): try checkTables(of: [entity])
    case .uuid: try checkTables(of: layout.numbering.names)
    }
    let found = try RowFinder(layout: layout, model: model).rows(address, connection)
    guard let place = found.first else { throw RequestError.noRow(word) }
    guard found.count == 1 else { throw RequestError.severalRows(word, found.map(\.name)) }
    return place
  }

  /// Throws if an entity's table isn't in the store, or if something else has its name.
  private func checkTables(of entities: [String]) throws {
    for table in entities.compactMap(layout.table(of:)) where store.table(named: table.name) == nil
    {
      throw StoreFormatError.notAStore(missing: "table '\(table.name)'")
    }
  }

  private func matching(
    _ entity: String, _ text: String?, limit: Int, of path: String,
    _ connection: borrowing Connection
  ) throws -> RowListing {
    guard let table = layout.table(of: entity) else {
      throw RequestError.noEntity(entity, known: layout.numbering.names)
    }
    let source =
      "FROM \(qualified(table.name, in: "main")) WHERE \(layout.numbering.condition(below: entity))"
    let condition = try text.map { text throws(RowQueryError) in
      try RowCondition(text, on: entity, self).sql
    }
    try connection.prepareFormulas()
    let finder = RowFinder(layout: layout, model: model)
    let filter = condition.map { " AND \($0)" } ?? ""
    let total = try connection.value("SELECT count(*) \(source)")?.int64 ?? 0
    do {
      let count = try connection.value("SELECT count(*) \(source)\(filter)")?.int64 ?? 0
      let keys = try connection.rows(
        "SELECT Z_PK \(source)\(filter) ORDER BY Z_PK LIMIT \(max(0, limit))")
      var rows: [ShownRow] = []
      for key in keys.compactMap(\.first?.int64) {
        for place in try finder.rows(.key(entity: entity, key), connection) {
          rows.append(try row(place, connection))
        }
      }
      return RowListing(
        path: path,
        selection: .init(entity: entity, total: total, matching: count), rows: rows)
    } catch let error as SQLiteError {
      guard let condition, error.isOfFormula,
        let key = try firstFailure(of: condition, source, connection)
      else { throw error }
      throw RowQueryError.failingCondition(entity: entity, key: key)
    }
  }

  /// Returns the key of the first row for which a condition has no result.
  private func firstFailure(
    of condition: String, _ source: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64? {
    var keys = try connection.prepare("SELECT Z_PK \(source) ORDER BY Z_PK")
    var value = try connection.prepare("SELECT \(condition) \(source) AND Z_PK = ?1")
    while try keys.step() {
      let key = keys.int64(at: 0)
      try value.bindInt64(key, at: 1)
      do throws(SQLiteError) { try value.run() } catch {
        guard error.isOfFormula else { throw error }
        return key
      }
    }
    return nil
  }
}
