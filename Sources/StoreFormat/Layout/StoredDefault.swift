import PropertyList
package import SQLite
package import StoreModel

extension ModelValue {
  /// Returns the value as stored in an attribute's column, or `nil` if it can't be stored.
  ///
  /// Dates are seconds since 2001-01-01 UTC, and UUIDs are 16 bytes. See `StoreFormat.md` §5.2.
  package func stored(as attribute: Attribute) -> Value? {
    switch (self, attribute.type) {
    case (.null, _): .null
    case (.boolean(let value), _): .integer(value ? 1 : 0)
    case (.integer(let value), .double), (.integer(let value), .float):
      .real(Double(value))
    case (.integer(let value), _): .integer(value)
    case (.real(let value), .integer16), (.real(let value), .integer32),
      (.real(let value), .integer64), (.real(let value), .boolean):
      Int64(exactly: value).map { .integer($0) }
    case (.real(let value), .date), (.real(let value), .decimal), (.date(let value), _):
      .numeric(value)
    case (.real(let value), _): .real(value)
    case (.string(let value), _), (.url(let value), _): .text(value)
    case (.data(let bytes), _):
      // The prefix 1 means that the bytes follow inline (`StoreFormat.md` §13).
      .blob(attribute.allowsExternalStorage ? [1] + bytes : bytes)
    case (.uuid(let bytes), _): .blob(bytes)
    case (.decimal(let text), _): Double(text).map { .numeric($0) }
    case (.array, .transformable), (.dictionary, .transformable):
      .blob(KeyedArchive(value: self).propertyList.binary())
    case (.array, _), (.dictionary, _): nil
    }
  }
}

extension Value {
  /// Returns a number as a column with numeric affinity stores it: as an integer if it is whole.
  ///
  /// Columns of dates and decimals have numeric affinity: <https://www.sqlite.org/datatype3.html>,
  /// "Type Affinity".
  fileprivate static func numeric(_ number: Double) -> Value {
    Int64(exactly: number).map { .integer($0) } ?? .real(number)
  }
}

extension ModelValue {
  /// Returns whether the value is in the range of a type, or converts to it without loss.
  package func fits(_ type: AttributeType) -> Bool {
    switch (self, type) {
    case (.null, _), (.boolean, .boolean), (.integer, .double), (.integer, .float),
      (.integer, .decimal), (.real, .double), (.real, .decimal), (.date, .date),
      (.string, .string), (.string, .uri), (.url, .uri), (.data, .binary),
      (.data, .transformable), (.decimal, .decimal), (.array, .transformable),
      (.dictionary, .transformable):
      true
    case (.integer(let number), _): type.integerRange?.contains(number) == true
    case (.real(let number), .float): Float(number).isFinite
    case (.uuid(let bytes), .uuid): bytes.count == 16
    default: false
    }
  }
}

extension Attribute {
  /// Returns the default value of a leaf, as stored in the leaf's column.
  ///
  /// The default value of a composite attribute is a dictionary of its leaves' values.
  package func storedDefault(of leaf: Attribute) -> Value? {
    guard type == .composite else { return defaultValue?.stored(as: self) }
    if case .dictionary(let values) = defaultValue, let value = values[leaf.name] {
      return value.stored(as: leaf)
    }
    return leaf.defaultValue?.stored(as: leaf)
  }
}
