/// A JSON document for writing.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)

  /// A number in its shortest round-trip form; `null` if it isn't finite.
  case double(Double)
  case string(String)
  case array([JSONValue])

  /// An object with its members in order.
  case object([Member])

  /// A key and its value.
  package struct Member: Hashable, Sendable {
    /// The key.
    package let key: String

    /// The value.
    package let value: JSONValue

    /// Creates a member.
    package init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }
}

extension JSONValue {
  /// Creates a string, or `null` from `nil`.
  package init(_ string: String?) { self = string.map { .string($0) } ?? .null }

  /// Creates a number, or `null` from `nil`.
  package init(_ integer: Int?) { self = integer.map { .int(Int64($0)) } ?? .null }

  /// Creates an array by converting each element.
  package init<Element>(_ elements: some Sequence<Element>, _ value: (Element) -> JSONValue) {
    self = .array(elements.map(value))
  }
}

extension JSONValue {
  /// The value of a key, or `nil` if this isn't an object or the key is missing.
  ///
  /// - Complexity: O(*n*) in the number of members.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }
}

extension JSONValue: ExpressibleByNilLiteral {
  package init(nilLiteral: ()) { self = .null }
}

extension JSONValue: ExpressibleByBooleanLiteral {
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  package init(integerLiteral value: Int64) { self = .int(value) }
}

extension JSONValue: ExpressibleByFloatLiteral {
  package init(floatLiteral value: Double) { self = .double(value) }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0, $1) })
  }
}
