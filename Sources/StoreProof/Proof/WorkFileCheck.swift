package import SQLite
package import StoreFormat
import Migrations
import RowRewriting

/// Checks a work file alone before it takes a store's place.
package struct WorkFileCheck {
  /// The path of the store, as it was typed.
  package let path: String
  package let files: StoreFiles

  package init(path: String, files: StoreFiles) {
    self.path = path
    self.files = files
  }

  private static let schema = "checked"

  /// Returns the logical hash of the file's rows.
  ///
  /// - Parameters:
  ///   - work: The path of the file.
  ///   - connection: A connection to attach it to.
  ///   - known: Finds the failures that the run isn't to be blamed for; asked only where there are any.
  /// - Returns: The hash, in hexadecimal digits.
  /// - Throws: ``MigrationError/verificationFailed(_:findings:)`` for what wasn't wrong before.
  package func contentHash(
    of work: String, _ connection: borrowing Connection, known: () throws -> KnownFailures
  ) throws -> String {
    try connection.attach(path: work, as: Self.schema, mode: .immutable)
    let hash: String
    do {
      hash = try check(connection, known)
    } catch {
      try? connection.detach(Self.schema)
      throw error
    }
    try connection.detach(Self.schema)
    return hash
  }

  private func check(
    _ connection: borrowing Connection, _ known: () throws -> KnownFailures
  ) throws -> String {
    let store = try StoreDescription(reading: connection, schema: Self.schema)
    guard let model = store.cachedModel else {
      throw VerificationError(path, findings: store.problems)
    }
    let failures = try StoreCheck(store, files: files, schema: Self.schema).findings(connection)
      .filter { $0.severity == .failure }
    if !failures.isEmpty {
      let known = try known()
      let new = failures.filter { !known.cover($0) }
      guard new.isEmpty else {
        throw VerificationError(path, findings: new.map(\.message))
      }
    }
    let layout = StoreLayout(model, joinTableNames: store.tableNames)
    return try ContentHash(layout: layout, store: store, schema: Self.schema).value(connection)
  }
}
