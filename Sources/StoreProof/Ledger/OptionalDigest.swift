import SQLite
import StoreFormat

/// Computes a table's digest while its rows are read for another purpose.
///
/// Does nothing if no digest is needed.
struct OptionalDigest: ~Copyable {
  private var digest = TableDigest()

  /// The indices of the hashed columns in the query, in order; `nil` if no digest is needed.
  private let columns: [Int]?

  package init(_ columns: [Int]?) { self.columns = columns }

  /// Adds a row.
  package mutating func add(_ row: borrowing Statement) {
    if let columns { digest.add(row, columns: columns) }
  }

  /// Returns the digest's bytes, or `nil` if no digest is needed.
  package consuming func finish() -> [UInt8]? {
    let isMade = columns != nil
    let bytes = digest.finish()
    return isMade ? bytes : nil
  }
}

extension Table {
  /// Returns the indices of the content hash's columns among others; `nil` if one is missing.
  func contentPlaces(in columns: [String]) -> [Int]? {
    let places = contentColumns.compactMap { columns.firstIndex(of: $0) }
    return places.count == contentColumns.count ? places : nil
  }
}
