extension PropertyList {
  /// The value of a key, if this is a dictionary that has it.
  package subscript(key: String) -> PropertyList? {
    dictionaryValue?[key]
  }

  /// The value at a position, if this is an array that is long enough.
  package subscript(position: Int) -> PropertyList? {
    guard let array = arrayValue, array.indices.contains(position) else { return nil }
    return array[position]
  }

  package var booleanValue: Bool? {
    guard case .boolean(let value) = self else { return nil }
    return value
  }

  package var integerValue: Int64? {
    guard case .integer(let value) = self else { return nil }
    return value
  }

  /// The number, whichever way it is kept; integers beyond 2⁵³ are rounded.
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
