import Platform
import SQLite
import StoreModel

/// Checks that the external data files exist.
struct ExternalDataCheck {
  let model: Model
  let layout: StoreLayout
  let store: StoreDescription
  let files: StoreFiles
  let schema: String

  /// The names of files that are known to have existed.
  let known: Set<String>

  /// The tables that aren't read.
  private let leftOut: Set<String>

  init(
    _ store: StoreDescription, model: Model, files: StoreFiles, schema: String,
    known: Set<String> = [], besides leftOut: Set<String> = []
  ) {
    self.leftOut = leftOut
    self.known = known
    self.store = store
    self.model = model
    self.files = files
    self.schema = schema
    layout = store.layout(of: model)
  }

  /// Returns a warning for missing files, and a failure if they are known to have existed.
  ///
  /// Real stores miss some files, and a migration can't restore them.
  func findings(_ connection: borrowing Connection) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    let folder = openFolder()
    for table in layout.tables where store.isComplete(table) && !leftOut.contains(table.name) {
      for column in table.columns {
        guard case .attribute(let entity, let path, _) = column.content,
          model.keepsExternally(path, of: entity)
        else { continue }
        let missing = try missingFiles(column.name, of: table.name, in: folder, connection)
        let name = "\(entity).\(path[0])"
        if missing.lost > 0 {
          findings.append(
            Finding(
              .externalData,
              "\(sentence(missing.lost, name)), but the snapshot has \(missing.lost == 1 ? "it" : "them")",
              about: [name]))
        }
        if missing.others > 0 {
          findings.append(
            Finding(
              .externalData, sentence(missing.others, name), about: [name], severity: .warning))
        }
      }
    }
    return findings
  }

  private func sentence(_ count: Int64, _ property: String) -> String {
    """
    \(counted(count, "file", "files")) of '\(property)' \(count == 1 ? "is" : "are") missing in \
    '\(files.supportFolderName)'
    """
  }

  /// Opens the directory of the files; returns `nil` if it is missing or a symbolic link.
  private func openFolder() -> Directory? {
    do {
      return try files.openExternalData()
    } catch {
      // Files that can't be checked count as missing.
      return nil
    }
  }

  private func hasFile(_ name: String, in folder: borrowing Directory?) -> Bool {
    switch folder {
    case .some(let folder): (try? folder.statusIfPresent(of: name)?.kind) == .regular
    case .none: false
    }
  }

  /// References have 38 bytes: 2, the 36 characters of a UUID, and 0 (`StoreFormat.md` §13).
  private func missingFiles(
    _ column: String, of table: String, in folder: borrowing Directory?,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> (lost: Int64, others: Int64) {
    let column = quoteIdentifier(column)
    var statement = try connection.prepare(
      """
      SELECT substr(\(column), 2, 36) FROM \(qualified(table, in: schema))
      WHERE typeof(\(column)) = 'blob' AND length(\(column)) = 38
      AND substr(\(column), 1, 1) = x'02'
      """)
    var missing: (lost: Int64, others: Int64) = (0, 0)
    while try statement.step() {
      let bytes = statement.bytes(at: 0)
      let isName = bytes.allSatisfy {
        $0 == 0x2D || (0x30...0x39).contains($0) || (0x41...0x46).contains($0)
      }
      let name = String(decoding: bytes, as: UTF8.self)
      guard !isName || !hasFile(name, in: folder) else { continue }
      if known.contains(name) { missing.lost += 1 } else { missing.others += 1 }
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
