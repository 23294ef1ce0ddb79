extension JSONNode {
  /// Whether the value is `null`.
  package var isNull: Bool { value == .null }

  /// The string.
  ///
  /// - Throws: A ``JSONError`` if the value isn't a string.
  package var string: String {
    get throws(JSONError) {
      guard case .string(let string) = value else { throw wrongType("a string") }
      return string
    }
  }

  /// The Boolean.
  ///
  /// - Throws: A ``JSONError`` if the value isn't `true` or `false`.
  package var bool: Bool {
    get throws(JSONError) {
      guard case .bool(let bool) = value else { throw wrongType("a Boolean") }
      return bool
    }
  }

  /// The integer, which must be spelled without a decimal point and exponent.
  ///
  /// - Throws: A ``JSONError`` if the value isn't such a number, or doesn't fit in 64 bits.
  package var integer: Int64 {
    get throws(JSONError) {
      guard case .number(let spelling) = value else { throw wrongType("a whole number") }
      if let integer = Int64(spelling) { return integer }
      let isWhole = spelling.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") }
      guard isWhole else {
        throw error(.wrongType("a whole number", found: "one with a decimal point or an exponent"))
      }
      throw error(.numberOutOfRange("64 bits"))
    }
  }

  /// The nearest double of the number.
  ///
  /// - Throws: A ``JSONError`` if the value isn't a number, or is out of range.
  package var double: Double {
    get throws(JSONError) {
      guard case .number(let spelling) = value else { throw wrongType("a number") }
      guard let double = Double(spelling), double.isFinite else {
        throw error(.numberOutOfRange("a double"))
      }
      return double
    }
  }

  /// Whether the value is an array.
  package var isArray: Bool {
    if case .array = value { true } else { false }
  }

  /// The elements of the array.
  ///
  /// - Throws: A ``JSONError`` if the value isn't an array.
  package var array: [JSONNode] {
    get throws(JSONError) {
      guard case .array(let elements) = value else { throw wrongType("an array") }
      return elements
    }
  }

  /// The elements of an array of strings.
  ///
  /// - Throws: A ``JSONError`` if the value isn't an array of strings.
  package var strings: [String] {
    get throws(JSONError) {
      var strings: [String] = []
      for element in try array { try strings.append(element.string) }
      return strings
    }
  }

  /// The value of a string; `nil` for `null`.
  package var optionalString: String? {
    get throws(JSONError) { isNull ? nil : try string }
  }

  /// The strings of an object, by key.
  package var stringsByKey: [String: String] {
    get throws(JSONError) {
      var values: [String: String] = [:]
      for member in try object.members { values[member.key] = try member.node.string }
      return values
    }
  }

  /// A count: a whole number that isn't negative.
  ///
  /// - Throws: A ``JSONError`` for any other value.
  package var count: Int64 {
    get throws(JSONError) {
      let number = try integer
      guard number >= 0 else { throw error("a number of things isn't negative") }
      return number
    }
  }

  /// The object; all keys are allowed.
  ///
  /// - Throws: A ``JSONError`` if the value isn't an object.
  package var object: JSONObject {
    get throws(JSONError) {
      guard case .object(let members) = value else { throw wrongType("an object") }
      return JSONObject(members: members, node: self)
    }
  }

  /// Returns the object, which may have only these keys.
  ///
  /// - Throws: A ``JSONError`` at the first unknown key, with the most similar known key.
  package func object(allowing keys: [String]) throws(JSONError) -> JSONObject {
    let object = try object
    for member in object.members where !keys.contains(member.key) {
      let nearest = nearestName(to: member.key, among: keys)
      throw JSONError(
        file: file, position: member.position, reason: .unknownKey(member.key, nearest: nearest))
    }
    return object
  }

  /// Returns the string, which must be one of these names.
  ///
  /// - Throws: A ``JSONError`` with the most similar name.
  package func name(among names: [String]) throws(JSONError) -> String {
    let name = try string
    guard names.contains(name) else {
      throw error(.unknownName(name, nearest: nearestName(to: name, among: names)))
    }
    return name
  }

  /// Returns the case whose raw value is the string.
  ///
  /// - Throws: A ``JSONError`` with the most similar raw value.
  package func name<Name>(as type: Name.Type) throws(JSONError) -> Name
  where Name: RawRepresentable<String> & CaseIterable {
    let name = try string
    if let value = Name(rawValue: name) { return value }
    let nearest = nearestName(to: name, among: Name.allCases.lazy.map(\.rawValue))
    throw error(.unknownName(name, nearest: nearest))
  }

  private func wrongType(_ wanted: String) -> JSONError {
    error(.wrongType(wanted, found: typeDescription))
  }
}
