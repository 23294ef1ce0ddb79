import Platform
import SQLite
import StoreModel

/// Checks a whole store: SQLite's own integrity, structure, rows, external data.
public struct StoreCheck {
  let store: StoreDescription
  let files: StoreFiles

  /// The name under which the store is attached.
  let schema: String

  /// Prepares the check of a store by the model in its own cache.
  public init(_ store: StoreDescription, files: StoreFiles, schema: String = "main") {
    self.store = store
    self.files = files
    self.schema = schema
  }

  /// Everything that isn't as it should be, in the order of the checks.
  public func findings(_ connection: borrowing Connection) throws(SQLiteError) -> [Finding] {
    var findings = try integrityFindings(connection)
    findings += store.problems.map { Finding(.modelCache, $0) }
    guard let model = store.cachedModel else { return findings }
    findings += StructureCheck(store, model: model).findings
    findings += try RowCheck(store, model: model, schema: schema).findings(connection)
    findings += try ExternalDataCheck(store, model: model, files: files, schema: schema)
      .findings(connection)
    return findings
  }

  private func integrityFindings(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    let lines = try connection.rows("PRAGMA \(quoteIdentifier(schema)).integrity_check(20)")
      .compactMap { $0.first?.string }
    // SQLite names indexes and pages here, no values.
    return lines == ["ok"] ? [] : lines.map { Finding(.integrity, "SQLite: \($0)") }
  }
}

/// Looks for the files of large values that lie beside the store.
struct ExternalDataCheck {
  let model: Model
  let layout: StoreLayout
  let store: StoreDescription
  let files: StoreFiles
  let schema: String

  init(_ store: StoreDescription, model: Model, files: StoreFiles, schema: String) {
    self.store = store
    self.model = model
    self.files = files
    self.schema = schema
    layout = StoreLayout(model, joinTableNames: store.tableNames)
  }

  /// A missing file is a warning: real stores have some, and nothing brings it back.
  func findings(_ connection: borrowing Connection) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for table in layout.tables {
      for column in table.columns {
        guard case .attribute(let entity, let path, .binary) = column.content,
          model.keepsExternally(path, of: entity),
          store.table(named: table.name)?.columns.contains(where: { $0.name == column.name })
            == true
        else { continue }
        let missing = try missingFiles(column.name, of: table.name, connection)
        if missing > 0 {
          findings.append(
            Finding(
              .externalData,
              """
              \(missing) files of '\(entity).\(path.joined(separator: "."))' are missing \
              in '\(files.supportFolderName)'
              """,
              severity: .warning))
        }
      }
    }
    return findings
  }

  /// References are 38 bytes: 2, a UUID's 36 characters, 0; see `StoreFormat.md` §13.
  private func missingFiles(
    _ column: String, of table: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    let column = quoteIdentifier(column)
    var statement = try connection.prepare(
      """
      SELECT substr(\(column), 2, 36) FROM \(quoteIdentifier(schema)).\(quoteIdentifier(table))
      WHERE typeof(\(column)) = 'blob' AND length(\(column)) = 38
      AND substr(\(column), 1, 1) = x'02'
      """)
    var missing: Int64 = 0
    while try statement.step() {
      let bytes = statement.bytes(at: 0)
      let isName = bytes.allSatisfy {
        $0 == 0x2D || (0x30...0x39).contains($0) || (0x41...0x46).contains($0)
      }
      let name = String(decoding: bytes, as: UTF8.self)
      if !isName || !FileSystem.exists("\(files.externalDataFolder)/\(name)") { missing += 1 }
    }
    return missing
  }
}

extension Model {
  fileprivate func keepsExternally(_ path: [String], of entity: String) -> Bool {
    guard path.count == 1, case .attribute(let attribute) = self[entity]?[path[0]] else {
      return false
    }
    return attribute.allowsExternalStorage
  }
}
