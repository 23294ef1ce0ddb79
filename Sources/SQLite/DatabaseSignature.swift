extension [UInt8] {
  /// Whether the bytes begin as every database file does.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/fileformat2.html#magic_header_string>
  package var isDatabase: Bool { starts(with: "SQLite format 3\0".utf8) }
}
