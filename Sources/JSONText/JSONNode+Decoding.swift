extension JSONNode {
  /// A Boolean value indicating whether the value is `null`.
  package var isNull: Bool { value == .null }

  /// The value of a string.
  package var string: String {
    get throws(JSONError) {
      guard case .string(let string) = value else { throw wrongType("a string") }
      return string
    }
  }

  /// The value of `true` or `false`.
  package var bool: Bool {
    get throws(JSONError) {
      guard case .bool(let bool) = value else { throw wrongType("a Boolean") }
      return bool
    }
  }

  /// The value of a number spelled without point and exponent.
  package var integer: Int64 {
    get throws(JSONError) {
      guard case .number(let spelling) = value else { throw wrongType("a whole number") }
      if let integer = Int64(spelling) { return integer }
      let isWhole = spelling.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") }
      guard isWhole else {
        throw error(.wrongType("a whole number", found: "one with a point or an exponent"))
      }
      throw error(.numberOutOfRange("64 bits"))
    }
  }

  /// The double nearest to a number.
  package var double: Double {
    get throws(JSONError) {
      guard case .number(let spelling) = value else { throw wrongType("a number") }
      guard let double = Double(spelling), double.isFinite else {
        throw error(.numberOutOfRange("a double"))
      }
      return double
    }
  }

  /// A Boolean value indicating whether this is an array.
  package var isArray: Bool {
    if case .array = value { true } else { false }
  }

  /// The elements of an array.
  package var array: [JSONNode] {
    get throws(JSONError) {
      guard case .array(let elements) = value else { throw wrongType("an array") }
      return elements
    }
  }

  /// The strings in an array of strings.
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

  /// An object whose keys can be anything.
  package var object: JSONObject {
    get throws(JSONError) {
      guard case .object(let members) = value else { throw wrongType("an object") }
      return JSONObject(members: members, node: self)
    }
  }

  /// The object, whose keys must be among those allowed.
  ///
  /// - Throws: an error at the first key that isn't, with the nearest one that is.
  package func object(allowing keys: [String]) throws(JSONError) -> JSONObject {
    let object = try object
    for member in object.members where !keys.contains(member.key) {
      let nearest = nearestName(to: member.key, among: keys)
      throw JSONError(
        file: file, position: member.position, reason: .unknownKey(member.key, nearest: nearest))
    }
    return object
  }

  /// A string that must be among the names allowed.
  ///
  /// - Throws: an error with the nearest name.
  package func name(among names: [String]) throws(JSONError) -> String {
    let name = try string
    guard names.contains(name) else {
      throw error(.unknownName(name, nearest: nearestName(to: name, among: names)))
    }
    return name
  }

  /// The case a string is the raw value of.
  ///
  /// - Throws: an error with the nearest raw value.
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
