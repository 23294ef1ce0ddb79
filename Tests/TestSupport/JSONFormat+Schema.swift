package import JSONText
package import ReportFormats

extension JSONFormat {
  /// The format as a JSON Schema: <https://json-schema.org/draft/2020-12/json-schema-core>.
  package var schema: JSONValue { schemaDocument(title, form.schema, shared) }
}

extension ReportFormat {
  /// The format as a JSON Schema.
  package var schema: JSONValue { schema(of: forms) }

  /// Returns the JSON Schema of some of the format's forms.
  func schema(of forms: [JSONForm]) -> JSONValue {
    schemaDocument(
      title, [.init("anyOf", JSONValue(forms) { .object($0.schema) })], shared)
  }
}

/// Returns a schema with its title before the content, and the shapes that it refers to after it.
private func schemaDocument(
  _ title: String, _ content: [JSONValue.Member], _ shared: [String: JSONShape]
) -> JSONValue {
  let head: [JSONValue.Member] = [
    .init("$schema", "https://json-schema.org/draft/2020-12/schema"),
    .init("title", .string(title)),
  ]
  let definitions = shared.sorted { $0.key < $1.key }.map {
    JSONValue.Member($0.key, .object($0.value.schema))
  }
  return .object(
    head + content + (shared.isEmpty ? [] : [.init("$defs", .object(definitions))]))
}

extension JSONForm {
  fileprivate var schema: [JSONValue.Member] {
    let properties = members.map { member in
      // The key's own sentence says more than that of its object.
      let shape = member.shape.schema.filter { $0.key != "description" }
      return JSONValue.Member(
        member.key, .object(shape + [.init("description", .string(member.meaning))]))
    }
    let required = members.filter(\.isRequired).map { JSONValue.string($0.key) }
    return [
      .init("description", .string(meaning)), .init("type", "object"),
      .init("properties", .object(properties)),
    ] + (required.isEmpty ? [] : [.init("required", .array(required))])
      + [.init("additionalProperties", false)] + ruleSchema
  }

  private var ruleSchema: [JSONValue.Member] {
    var needed: [(key: String, others: [JSONValue])] = []
    var all: [JSONValue] = []
    for rule in rules {
      switch rule {
      case .exactlyOne(let keys):
        all.append(["oneOf": JSONValue(keys) { ["required": [.string($0)]] }])
      case .atLeastOne(let keys):
        all.append(["anyOf": JSONValue(keys) { ["required": [.string($0)]] }])
      case .needs(let key, let other):
        if let place = needed.firstIndex(where: { $0.key == key }) {
          needed[place].others.append(.string(other))
        } else {
          needed.append((key, [.string(other)]))
        }
      case .excludes(let key, let other):
        all.append(["not": ["required": [.string(key), .string(other)]]])
      }
    }
    let dependent = needed.map { JSONValue.Member($0.key, .array($0.others)) }
    return (needed.isEmpty ? [] : [.init("dependentRequired", .object(dependent))])
      + (all.isEmpty ? [] : [.init("allOf", .array(all))])
  }
}

extension JSONShape {
  fileprivate var schema: [JSONValue.Member] {
    switch self {
    case .string(let pattern):
      [.init("type", "string")] + (pattern.map { [.init("pattern", .string($0))] } ?? [])
    case .name(let names): [.init("enum", JSONValue(names) { .string($0) })]
    case .integer: [.init("type", "integer")]
    case .count: [.init("type", "integer"), .init("minimum", 0)]
    case .constant(let number): [.init("const", .int(number))]
    case .number: [.init("type", "number")]
    case .boolean: [.init("type", "boolean")]
    case .null: [.init("type", "null")]
    case .array(let element, let count):
      [.init("type", "array"), .init("items", .object(element.schema))]
        + (count == 0 ? [] : [.init("minItems", .int(Int64(count)))])
    case .dictionary(let element, let count):
      [.init("type", "object"), .init("additionalProperties", .object(element.schema))]
        + (count == 0 ? [] : [.init("minProperties", .int(Int64(count)))])
    case .object(let form): form.schema
    case .either(let shapes): [.init("anyOf", JSONValue(shapes) { .object($0.schema) })]
    case .shared(let name): [.init("$ref", .string("#/$defs/\(name)"))]
    }
  }
}
