package import JSONText

/// Compares JSON documents with a JSON Schema, as far as the repository's schemas use its keywords.
///
/// A keyword that isn't known here is an error, not something to pass over.
package struct JSONSchemaCheck: Sendable {
  /// A schema that this check can't read.
  struct UnknownKeyword: Error { let keyword: String }

  private let root: JSONNode

  /// Creates a check from the text of a schema.
  package init(_ text: String) throws { root = try JSONNode(parsing: text) }

  /// Returns the violations of the schema: the position of each value, and the keyword.
  package func violations(in node: JSONNode) throws -> [String] {
    try violations(in: node, of: root)
  }

  /// Returns the violations of a schema that is an `anyOf` of one: those of that one.
  func nestedViolations(in node: JSONNode) throws -> [String] {
    try root.object.required("anyOf").array.flatMap { try violations(in: node, of: $0) }
  }

  private func violations(in node: JSONNode, of schema: JSONNode) throws -> [String] {
    var found: [String] = []
    for member in try schema.object.members
    where try !holds(member.key, member.node, for: node, in: schema) {
      found.append("\(node.position): \(member.key)")
    }
    return found + (try violationsInside(node, of: schema))
  }

  /// Whether a value satisfies a keyword; true for those about what is inside of it.
  private func holds(
    _ keyword: String, _ value: JSONNode, for node: JSONNode, in schema: JSONNode
  ) throws -> Bool {
    switch keyword {
    case "$schema", "$defs", "title", "description": return true
    case "properties", "items", "additionalProperties", "$ref": return true
    case "type":
      let types = try value.isArray ? value.strings : [value.string]
      return types.contains { Self.isOf($0, node) }
    case "const": return Self.isEqual(node, value)
    case "enum": return try value.array.contains { Self.isEqual(node, $0) }
    case "pattern":
      guard case .string(let text) = node.value else { return true }
      return try Regex(value.string).matchingSemantics(.unicodeScalar).firstMatch(in: text) != nil
    case "minimum":
      guard case .number(let spelling) = node.value else { return true }
      return try Double(spelling) ?? 0 >= value.double
    case "minItems":
      guard case .array(let elements) = node.value else { return true }
      return try elements.count >= Int(value.integer)
    case "minProperties":
      guard case .object(let members) = node.value else { return true }
      return try members.count >= Int(value.integer)
    case "required":
      guard case .object(let members) = node.value else { return true }
      return try value.strings.allSatisfy { key in members.contains { $0.key == key } }
    case "dependentRequired":
      guard case .object(let members) = node.value else { return true }
      return try value.object.members.allSatisfy { rule in
        guard members.contains(where: { $0.key == rule.key }) else { return true }
        return try rule.node.strings.allSatisfy { key in members.contains { $0.key == key } }
      }
    case "anyOf": return try count(of: value, satisfiedBy: node) > 0
    case "oneOf": return try count(of: value, satisfiedBy: node) == 1
    case "allOf": return try count(of: value, satisfiedBy: node) == value.array.count
    case "not": return try !violations(in: node, of: value).isEmpty
    default: throw UnknownKeyword(keyword: keyword)
    }
  }

  private func count(of schemas: JSONNode, satisfiedBy node: JSONNode) throws -> Int {
    try schemas.array.count { try violations(in: node, of: $0).isEmpty }
  }

  private func violationsInside(_ node: JSONNode, of schema: JSONNode) throws -> [String] {
    let object = try schema.object
    var found: [String] = []
    if let reference = object.optional("$ref") {
      let name = try String(reference.string.dropFirst("#/$defs/".count))
      let definition = try root.object.required("$defs").object.required(name)
      found += try violations(in: node, of: definition)
    }
    if case .array(let elements) = node.value, let items = object.optional("items") {
      for element in elements { found += try violations(in: element, of: items) }
    }
    guard case .object(let members) = node.value else { return found }
    for member in members {
      if let known = try object.optional("properties")?.object.optional(member.key) {
        found += try violations(in: member.node, of: known)
      } else if let others = object.optional("additionalProperties") {
        if case .bool(let isAllowed) = others.value {
          if !isAllowed { found.append("\(member.position): additionalProperties") }
        } else {
          found += try violations(in: member.node, of: others)
        }
      }
    }
    return found
  }

  private static func isOf(_ type: String, _ node: JSONNode) -> Bool {
    switch (type, node.value) {
    case ("null", .null), ("boolean", .bool), ("number", .number), ("string", .string),
      ("array", .array), ("object", .object):
      true
    case ("integer", .number(let spelling)):
      Double(spelling).map { $0.rounded() == $0 } ?? false
    default: false
    }
  }

  private static func isEqual(_ left: JSONNode, _ right: JSONNode) -> Bool {
    switch (left.value, right.value) {
    case (.number(let one), .number(let other)): Double(one) == Double(other)
    default: left.value == right.value
    }
  }
}
