extension PropertyList {
  /// The value of a key, or `nil` if this isn't a dictionary or doesn't contain the key.
  package subscript(key: String) -> PropertyList? {
    dictionaryValue?[key]
  }

  /// The element at an index, or `nil` if this isn't an array or the index is out of range.
  package subscript(index: Int) -> PropertyList? {
    guard let array = arrayValue, array.indices.contains(index) else { return nil }
    return array[index]
  }

  package var booleanValue: Bool? {
    guard case .boolean(let value) = self else { return nil }
    return value
  }

  package var integerValue: Int64? {
    guard case .integer(let value) = self else { return nil }
    return value
  }

  /// The number as a double; integers beyond 2⁵³ are rounded.
  package var doubleValue: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .real(let value): value
    case .float(let value): Double(value)
    default: nil
    }
  }

  package var dataValue: [UInt8]? {
    guard case .data(let value) = self else { return nil }
    return value
  }

  package var stringValue: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  package var uidValue: UInt64? {
    guard case .uid(let value) = self else { return nil }
    return value
  }

  package var arrayValue: [PropertyList]? {
    guard case .array(let value) = self else { return nil }
    return value
  }

  package var dictionaryValue: [String: PropertyList]? {
    guard case .dictionary(let value) = self else { return nil }
    return value
  }
}
