import Foundation
import JSONText
import Platform
import SQLite
import StoreFormat
import StoreModel
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// A migrator that knows the bundled files.
func bundledMigrator() throws -> StoreMigrator {
  StoreMigrator(catalog: Catalog.bundled)
}

/// Returns the description of the error that work throws; records an issue if it throws none.
func failure(
  _ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) throws -> String {
  do { try body() } catch { return "\(error)" }
  Issue.record("nothing failed", sourceLocation: sourceLocation)
  return ""
}

extension StoreMigrator {
  /// A migrator that knows the versions V1, V2 … of an app, and the steps from each to the next.
  ///
  /// Each migration is written again and read, and has the same steps; its JSON Schema admits it.
  init(_ schemas: [SchemaFile], steps: [String], constants: String = "{}") throws {
    var migrations: [Migration] = []
    for (place, steps) in steps.enumerated() {
      let (from, to) = (schemas[place].version, schemas[place + 1].version)
      let text = """
        { "format_version": 1, "app": "\(schemas[0].app)", "from": "\(from)", "to": "\(to)", "steps": [\(steps)],
          "constants": \(constants) }
        """
      let migration = try Migration(parsing: Array(text.utf8), file: "\(from)-\(to).json")
      let again = try Migration(parsing: Array(migration.text().utf8), file: nil)
      #expect(again.steps == migration.steps)
      let check = try JSONSchemaCheck(Migration.format.schema.text())
      #expect(try check.violations(in: JSONNode(parsing: text)) == [])
      migrations.append(migration)
    }
    self.init(
      catalog: Catalog(versions: schemas.map { ModelVersion($0) }, migrations: migrations))
  }
}

extension SchemaFile {
  init(_ text: String) throws {
    try self.init(parsing: Array(text.utf8), file: nil)
    let check = try JSONSchemaCheck(SchemaFile.format.schema.text())
    #expect(try check.violations(in: JSONNode(parsing: text)) == [])
  }
}

extension StoreMigrator {
  /// Migrates a store, and expects that every value is accounted for and that every check passes.
  @discardableResult
  func applyAndVerify(
    _ path: String, _ request: MigrationRequest = MigrationRequest(),
    at location: SourceLocation = #_sourceLocation
  ) throws -> ApplyReport {
    let report = try apply(to: path, request)
    for entry in report.ledger { #expect(entry.addsUp, "\(entry)", sourceLocation: location) }
    let failed = try verify(path).checks.filter { !$0.isPassed }
    #expect(failed.isEmpty, "\(failed)", sourceLocation: location)
    return report
  }
}

/// Every table of a store with its rows as text, one line each: for comparing stores as a whole.
func dump(_ path: String, leavingOut: Set<String> = []) throws -> [String] {
  let connection = try Connection(path: path, mode: .readOnlyUnshared)
  let tables = try connection.rows(
    "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
  ).compactMap { $0[0].string }
  return try tables.filter { !leavingOut.contains($0) && !$0.hasPrefix("sqlite_") }.flatMap {
    name in
    try connection.rows("SELECT rowid, * FROM \(quoteIdentifier(name)) ORDER BY rowid")
      .map { "\(name): \($0)" }
  }
}
