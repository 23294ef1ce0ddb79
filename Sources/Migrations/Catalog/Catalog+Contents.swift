extension Catalog {
  /// Creates a catalog from the contents of files by their names, such as those in an app's bundle.
  ///
  /// Files whose names end with `.schema.json` are schemas, others that end with `.json` are
  /// migrations; files with other names are ignored. ``bundled`` isn't included; ``merging(_:)``
  /// adds it.
  ///
  /// - Parameter contents: The bytes of each file.
  /// - Throws: An error whose description has the file, the line and the column, and what is wrong
  ///   there.
  /// - Complexity: O(*n*) in the number of bytes.
  public init(migrationFiles contents: [String: [UInt8]]) throws {
    try self.init(
      files: contents.sorted { $0.key < $1.key }.map { (path: $0.key, bytes: $0.value) })
  }
}
