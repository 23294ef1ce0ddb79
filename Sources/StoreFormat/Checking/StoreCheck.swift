package import SQLite
import StoreModel

/// Checks a whole store: integrity, structure, rows, external data, history and mirroring.
package struct StoreCheck: Sendable {
  let store: StoreDescription
  let files: StoreFiles

  /// The schema of the store.
  let schema: String

  /// The names of external data files that are known to have existed.
  let knownFiles: Set<String>

  /// The rules that needn't be checked again; `nil` to check all.
  private let kept: KeptRules?

  /// Creates a check of a store against the model in its cache.
  ///
  /// - Parameters:
  ///   - store: The description of the store.
  ///   - files: The files of the store.
  ///   - schema: The schema of the store.
  ///   - knownFiles: The names of external data files in a snapshot. A missing one is a failure;
  ///     any other missing file is a warning.
  ///   - kept: The rules that needn't be checked again; `nil` to check all. Warnings about tables on
  ///     their old pages are left out then.
  package init(
    _ store: StoreDescription, files: StoreFiles, schema: String = "main",
    knownFiles: Set<String> = [], besides kept: KeptRules? = nil
  ) {
    self.kept = kept
    self.knownFiles = knownFiles
    self.store = store
    self.files = files
    self.schema = schema
  }

  /// Returns all findings, in the order of the checks.
  ///
  /// Rows that can't be read because of a damaged page are a finding, not an error.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - limit: The maximum number of findings of SQLite's integrity check.
  /// - Returns: The findings; an empty array for a valid store.
  /// - Throws: A ``SQLiteError`` if the store can't be read.
  package func findings(
    _ connection: borrowing Connection, limit: Int = integrityLimit
  ) throws(SQLiteError) -> [Finding] {
    let damage = try Self.integrityFindings(connection, schema: schema, limit: limit)
    return Self.findings(damage, content: try contentFindings(connection))
  }

  /// Combines the findings of both halves, reporting damage only once.
  package static func findings(_ damage: [Finding], content: [Finding]) -> [Finding] {
    damage + (damage.isEmpty ? content : content.filter { $0.check != .integrity })
  }

  /// Returns the findings except SQLite's integrity check: structure, rows, external data, history.
  package func contentFindings(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    var findings = store.unreadable
    guard let model = store.cachedModel else { return findings }
    findings += StructureCheck(store, model: model).findings
    do {
      findings += try rowFindings(model, connection)
    } catch {
      guard error.isCorrupt else { throw error }
      findings.append(Finding(.integrity, "SQLite: \(error.message)"))
    }
    return findings
  }

  /// Returns the findings except SQLite's integrity check, for a store that others may write to.
  ///
  /// Reads the description and the rows in one transaction, so that rows and `Z_MAX` are
  /// consistent.
  package func contentFindingsOfOneMoment(
    _ connection: borrowing Connection
  ) throws(StoreFormatError) -> [Finding] {
    do {
      try connection.begin(.deferred)
    } catch {
      throw .sqlite(error)
    }
    var present = try StoreDescription(reading: connection)
    if present.lacksModelCache, present.metadata == store.metadata, let model = store.cachedModel {
      present = present.supplied(with: model, called: "the given model")
    }
    let check = StoreCheck(present, files: files, knownFiles: knownFiles)
    do {
      let findings = try check.contentFindings(connection)
      try connection.rollback()
      return findings
    } catch {
      throw .sqlite(error)
    }
  }

  private func rowFindings(
    _ model: Model, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    try RowCheck(store, model: model, schema: schema, besides: kept).findings(connection)
      + ExternalDataCheck(
        store, model: model, files: files, schema: schema, known: knownFiles,
        besides: kept?.tables ?? []
      ).findings(connection)
      + HistoryCheck(
        store, model: model, schema: schema, readsChanges: kept?.hasSameHistory != true
      ).findings(connection)
      + MirroringCheck(store, model: model, schema: schema).findings(connection)
  }

  /// Returns the warnings about external data files that rows refer to, and that are missing.
  ///
  /// Rows that can't be read because of a damaged page have none.
  ///
  /// - Parameter connection: A connection to the store.
  /// - Returns: A warning for each such attribute; an empty array if the store has no model.
  /// - Throws: A ``SQLiteError`` if the store can't be read.
  /// - Complexity: O(*n*) in the rows of entities with attributes that allow external storage.
  package func missingExternalData(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    guard let model = store.cachedModel else { return [] }
    do {
      return try ExternalDataCheck(store, model: model, files: files, schema: schema)
        .findings(connection)
    } catch {
      guard error.isCorrupt else { throw error }
      return []
    }
  }

  /// The maximum number of integrity findings in a report: some show the pattern.
  package static let integrityLimit = 20

  /// Returns the findings of SQLite's integrity check of a file, or of one table.
  package static func integrityFindings(
    _ connection: borrowing Connection, schema: String = "main", table: String? = nil,
    limit: Int = integrityLimit
  ) throws(SQLiteError) -> [Finding] {
    // These findings contain names of indexes and pages, but no values.
    try connection.integrityCheck(schema, table: table, limit: limit)
      .map { Finding(.integrity, "SQLite: \($0)") }
  }
}
