package import Platform
package import SQLite

/// A hash of the values of a table's rows, in the form of a ``RowBuffer``.
package struct TableDigest: ~Copyable {
  private var hasher: ContentHasher
  private var buffer = RowBuffer()

  /// Creates the digest of no rows.
  package init(_ algorithm: HashAlgorithm = .xxh128) {
    hasher = ContentHasher(algorithm)
  }

  /// Adds the values of some columns of a row.
  package mutating func add(_ row: borrowing Statement, columns: [Int]) {
    buffer.append(row, columns: columns) { hasher.update($0) }
  }

  /// Returns the bytes of the hash.
  package consuming func finish() -> [UInt8] {
    buffer.empty { hasher.update($0) }
    return hasher.finalize()
  }
}
