import Platform
package import SQLite

/// A SHA-256 over the values of a table's rows, in the form of a ``RowBuffer``.
package struct TableDigest: ~Copyable {
  private var hash = SHA256()
  private var buffer = RowBuffer()

  package init() {}

  /// Adds the values of some columns of a row.
  package mutating func add(_ row: borrowing Statement, columns: [Int]) {
    buffer.append(row, columns: columns) { hash.update($0) }
  }

  /// Returns the 32 bytes of the hash.
  package consuming func finish() -> [UInt8] {
    buffer.empty { hash.update($0) }
    return hash.finalize()
  }

  /// Returns the first 64 bits of the hash, and starts a new hash.
  package mutating func restart() -> UInt64 {
    buffer.empty { hash.update($0) }
    return hash.restart()
  }
}
