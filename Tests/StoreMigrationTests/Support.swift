import Foundation
import Platform
import SQLite
import StoreFormat
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion

/// A migrator that knows the bundled files.
func bundledMigrator() throws -> StoreMigrator {
  StoreMigrator(catalog: Catalog.bundled)
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
