package import SQLite
import StoreModel

/// Checks a whole store: SQLite's own integrity, structure, rows, external data, history.
package struct StoreCheck: Sendable {
  let store: StoreDescription
  let files: StoreFiles

  /// The name under which the store is attached.
  let schema: String

  /// The names of files of large values that are known to have been there.
  let knownFiles: Set<String>

  /// Prepares the check of a store by the model in its own cache.
  ///
  /// - Parameters:
  ///   - store: What the store says of itself.
  ///   - files: Its files.
  ///   - schema: The name under which it is attached.
  ///   - knownFiles: The names of files of large values that a snapshot has: to miss one of them is a
  ///     failure, any other a warning.
  package init(
    _ store: StoreDescription, files: StoreFiles, schema: String = "main",
    knownFiles: Set<String> = []
  ) {
    self.knownFiles = knownFiles
    self.store = store
    self.files = files
    self.schema = schema
  }

  /// Everything that isn't as it should be, in the order of the checks.
  ///
  /// Rows behind a damaged page are given up on, which is one more finding and no error.
  package func findings(_ connection: borrowing Connection) throws(SQLiteError) -> [Finding] {
    let damage = try Self.integrityFindings(connection, schema: schema)
    return Self.findings(damage, content: try contentFindings(connection))
  }

  /// The findings of both halves of a check: of rows behind a damaged page nothing more is said.
  package static func findings(_ damage: [Finding], content: [Finding]) -> [Finding] {
    damage + (damage.isEmpty ? content : content.filter { $0.check != .integrity })
  }

  /// What isn't as it should be besides SQLite's own integrity: structure, rows, external data, history.
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

  /// What isn't as it should be besides SQLite's own integrity, in a store that others may write to.
  ///
  /// Rows and the maxima of their keys are read in one transaction, which a new look at the store begins.
  package func contentFindingsOfOneMoment(
    _ connection: borrowing Connection
  ) throws(StoreFormatError) -> [Finding] {
    do {
      try connection.begin(.deferred)
    } catch {
      throw .sqlite(error)
    }
    let check = StoreCheck(
      try StoreDescription(reading: connection), files: files, knownFiles: knownFiles)
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
    try RowCheck(store, model: model, schema: schema).findings(connection)
      + ExternalDataCheck(
        store, model: model, files: files, schema: schema, known: knownFiles
      ).findings(connection)
      + HistoryCheck(store, model: model, schema: schema).findings(connection)
  }

  /// What SQLite finds in the file's pages, tables and indexes.
  package static func integrityFindings(
    _ connection: borrowing Connection, schema: String = "main"
  ) throws(SQLiteError) -> [Finding] {
    // SQLite names indexes and pages here, no values.
    try connection.integrityCheck(schema, limit: 20).map { Finding(.integrity, "SQLite: \($0)") }
  }
}
