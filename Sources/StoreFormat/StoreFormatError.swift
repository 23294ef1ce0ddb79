package import SQLite

/// An error when reading or writing a store.
package enum StoreFormatError: Error, Hashable, Sendable {
  /// SQLite reported an error.
  case sqlite(SQLiteError)

  /// The file is a database without one of Core Data's own tables, or without one of their columns.
  ///
  /// `missing` names it, as in `table 'Z_METADATA'`.
  case notAStore(missing: String)

  /// The metadata can't be read.
  case badMetadata(String)

  /// The model cache can't be read.
  case badModelCache(String)
}

extension StoreFormatError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .sqlite(let error): error.description
    case .notAStore(let missing): "the file has no \(missing)"
    case .badMetadata(let reason): "the store's metadata can't be read: \(reason)"
    case .badModelCache(let reason): "the store's model cache can't be read: \(reason)"
    }
  }
}
