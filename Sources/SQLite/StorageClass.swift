import CSQLite

/// The kind of a stored value, which in SQLite belongs to the value and not to the column.
///
/// Related SQLite documentation: <https://www.sqlite.org/datatype3.html>
package enum StorageClass: String, Hashable, Sendable, CaseIterable {
  /// A signed 64-bit number.
  case integer

  /// A double-precision floating-point number.
  case real

  /// Characters, in UTF-8 by convention only.
  case text

  /// Bytes.
  case blob

  /// No value.
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
