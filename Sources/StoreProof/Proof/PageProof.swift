import Platform
import RowRewriting
import SQLite
import StoreAccess
import StoreFormat
import StorePages

/// Proves the pages of a copied file: each belongs to one owner, and carried tables have their old.
///
/// The values of a carried table are then in the new store as they were in the old one. Tables that
/// were written are proven row by row, by the ``Ledger``.
struct PageProof: Sendable {
  private let copied: CopiedFile
  private let work: NestedFile

  /// What the old file's schema says about each table and index, by name.
  private let before: [String: SchemaRow]

  /// Creates a proof.
  ///
  /// - Parameters:
  ///   - copied: How the file was made.
  ///   - work: The new file.
  ///   - connection: The connection to the old store.
  /// - Throws: A `SQLiteError` if the old schema can't be read.
  init(_ copied: CopiedFile, _ work: NestedFile, _ connection: borrowing Connection) throws {
    self.copied = copied
    self.work = work
    before = try SchemaRow.all(connection)
  }

  /// Returns why the pages don't prove the carried tables; an empty array if they do.
  func findings() throws -> [Finding] {
    let after = try SchemaRow.all(Connection.open(work, mode: .immutable))
    let carried = copied.plan.carriedTrees
    var findings = carried.sorted().compactMap { name -> Finding? in
      guard let old = before[name], let new = after[name], old.declares(new) else {
        return Finding(.ledger, "the declaration of '\(name)' isn't the old one")
      }
      return nil
    }
    let trees = after.values.sorted { $0.root < $1.root }.map { row in
      PageTree(
        name: row.name, root: row.root,
        oldRoot: carried.contains(row.name) ? before[row.name]?.root : nil)
    }
    let report = try PageAudit.report(
      on: SharedFile(work.open()), comparedWith: copied.old, trees: trees)
    findings += report.findings.map { Finding(.ledger, "the new file: \($0)") }
    return findings
  }

  /// Returns the findings of SQLite's integrity check of the tables that were written.
  ///
  /// A table counts if one of its indexes was written.
  func integrityFindings(_ connection: borrowing Connection) throws -> [Finding] {
    let written = try SchemaRow.all(connection).values.filter {
      !copied.plan.carriedTrees.contains($0.name)
    }
    var findings: [Finding] = []
    for table in Set(written.map(\.table)).union(["sqlite_schema"]).sorted() {
      findings += try StoreCheck.integrityFindings(connection, table: table)
    }
    return findings
  }
}

/// A table or an index, as `sqlite_schema` has it.
private struct SchemaRow: Sendable {
  let type: String?
  let name: String
  let table: String
  let root: UInt32
  let sql: String?

  static func all(_ connection: borrowing Connection) throws -> [String: SchemaRow] {
    let rows = try connection.rows(
      "SELECT type, name, tbl_name, rootpage, sql FROM main.sqlite_schema WHERE rootpage > 0")
    return Dictionary(
      rows.map { row in
        let name = row[1].string ?? ""
        return (
          name,
          SchemaRow(
            type: row[0].string, name: name, table: row[2].string ?? "",
            root: row[3].int64.flatMap(UInt32.init(exactly:)) ?? 0, sql: row[4].string)
        )
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns whether another row declares the same table or index.
  func declares(_ other: SchemaRow) -> Bool {
    type == other.type && table == other.table && sql == other.sql
  }
}
