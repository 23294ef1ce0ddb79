import CSQLite

/// A storage class: the type of a value, which in SQLite doesn't depend on the column.
///
/// Related SQLite documentation: <https://www.sqlite.org/datatype3.html>
package enum StorageClass: String, Hashable, Sendable, CaseIterable {
  /// A signed 64-bit integer.
  case integer

  /// A double-precision floating-point number.
  case real

  /// A string, by convention in UTF-8.
  case text

  /// Bytes.
  case blob

  /// NULL.
  case null

  init(code: Int32) {
    self =
      switch code {
      case SQLITE_INTEGER: .integer
      case SQLITE_FLOAT: .real
      case SQLITE_TEXT: .text
      case SQLITE_BLOB: .blob
      default: .null
      }
  }
}
