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

  /// What the pages show.
  struct Outcome: Sendable {
    /// Why the pages don't prove the carried tables; empty if they do.
    var findings: [Finding] = []

    /// The number of rows of each table, as far as its pages could be walked.
    var rows: [String: Int64] = [:]
  }

  /// Returns what the pages show.
  func outcome() throws -> Outcome {
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
    return Outcome(findings: findings, rows: report.cells)
  }

  /// Returns the findings of SQLite's integrity check of the tables that were written.
  ///
  /// A table counts if one of its indexes was written.
  func integrityFindings(_ connection: borrowing Connection) throws -> [Finding] {
    try StoreCheck.integrityFindings(connection, besides: copied.plan.carriedTrees)
  }
}

extension StoreCheck {
  /// Returns the findings of SQLite's integrity check of tables whose trees aren't all proven.
  ///
  /// - Parameters:
  ///   - connection: The connection to the store.
  ///   - trees: The names of tables and indexes whose pages are proven.
  /// - Returns: The findings.
  /// - Throws: A `SQLiteError` if the store can't be read.
  static func integrityFindings(
    _ connection: borrowing Connection, besides trees: Set<String>
  ) throws -> [Finding] {
    let others = try SchemaRow.all(connection).values.filter { !trees.contains($0.name) }
    var findings: [Finding] = []
    for table in Set(others.map(\.table)).union(["sqlite_schema"]).sorted() {
      findings += try integrityFindings(connection, table: table)
    }
    return findings
  }
}
