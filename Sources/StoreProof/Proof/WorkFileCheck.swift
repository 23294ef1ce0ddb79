import StoreAccess
package import Platform
package import SQLite
package import StoreFormat

/// Checks a work file alone, before it replaces a store.
package struct WorkFileCheck {
  /// The path of the store, as the user typed it.
  package let path: String
  package let files: StoreFiles

  package init(path: String, files: StoreFiles) {
    self.path = path
    self.files = files
  }

  private static let schema = "checked"

  /// Checks the file and returns the content hash of its rows.
  ///
  /// - Parameters:
  ///   - work: The file.
  ///   - connection: The connection to attach the file to.
  ///   - known: Returns the failures from before the run that may explain the file's; called only if
  ///     the file has some.
  /// - Returns: The hash, in hexadecimal digits.
  /// - Throws: A ``VerificationError`` if the file has failures that the store didn't have before.
  package func contentHash(
    of work: NestedFile, _ connection: borrowing Connection,
    known: ([Finding]) throws -> KnownFailures
  ) throws -> String {
    try connection.attach(work, as: Self.schema, mode: .immutable)
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
    _ connection: borrowing Connection, _ known: ([Finding]) throws -> KnownFailures
  ) throws -> String {
    let store = try StoreDescription(reading: connection, schema: Self.schema)
    guard let model = store.cachedModel else {
      throw VerificationError(path, findings: store.problems)
    }
    let failures = try StoreCheck(store, files: files, schema: Self.schema).findings(connection)
      .filter { $0.severity == .failure }
    if !failures.isEmpty {
      let known = try known(failures)
      let new = failures.filter { !known.cover($0) }
      guard new.isEmpty else {
        throw VerificationError(path, findings: new.map(\.message))
      }
    }
    let layout = store.layout(of: model)
    return try ContentHash(layout: layout, store: store, schema: Self.schema).value(connection)
  }
}
