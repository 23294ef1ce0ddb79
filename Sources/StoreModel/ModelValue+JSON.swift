package import JSONText

/// The key of an object that represents a value JSON has no type for.
private enum Tag: String {
  case data, date, uuid, url, decimal, dictionary
}

extension JSONNode {
  /// The value in a schema file: a JSON value, or an object such as `{ "date": 0.0 }`.
  ///
  /// - Throws: A ``JSONError`` if the node isn't such a value.
  package var modelValue: ModelValue {
    get throws(JSONError) {
      switch value {
      case .null: .null
      case .bool(let value): .boolean(value)
      case .number(let spelling):
        spelling.contains(where: { ".eE".contains($0) }) ? .real(try double) : .integer(try integer)
      case .string(let text): .string(text)
      case .array:
        .array(try array.map { node throws(JSONError) in try node.modelValue })
      case .object: try taggedValue
      }
    }
  }

  /// The values of an object, by key.
  ///
  /// - Throws: A ``JSONError`` if the node isn't an object of values.
  var modelValues: [String: ModelValue] {
    get throws(JSONError) {
      var values: [String: ModelValue] = [:]
      for member in try object.members { values[member.key] = try member.node.modelValue }
      return values
    }
  }

  private var taggedValue: ModelValue {
    get throws(JSONError) {
      let members = try object(ModelValue.taggedForm).members
      guard let member = members.first, members.count == 1, let tag = Tag(rawValue: member.key)
      else {
        throw error("expected an object with one key, such as 'data', 'date', 'uuid' or 'url'")
      }
      let node = member.node
      switch tag {
      case .data:
        guard let bytes = base64Decoded(try node.string) else {
          throw node.error("not valid Base64")
        }
        return .data(bytes)
      case .date: return .date(try node.double)
      case .uuid:
        guard let bytes = uuidBytes(try node.string) else { throw node.error("not a UUID") }
        return .uuid(bytes)
      case .url: return .url(try node.string)
      case .decimal: return .decimal(try node.string)
      case .dictionary: return .dictionary(try node.modelValues)
      }
    }
  }
}

extension ModelValue {
  /// The value as written in schema files.
  package var json: JSONValue {
    switch self {
    case .null: .null
    case .boolean(let value): .bool(value)
    case .integer(let value): .int(value)
    case .real(let value): .double(value)
    case .string(let text): .string(text)
    case .array(let values): .array(values.map(\.json))
    case .data(let bytes): tagged(.data, .string(base64Encoded(bytes)))
    case .date(let seconds): tagged(.date, .double(seconds))
    case .uuid(let bytes): tagged(.uuid, .string(uuidText(bytes)))
    case .url(let text): tagged(.url, .string(text))
    case .decimal(let text): tagged(.decimal, .string(text))
    case .dictionary(let values): tagged(.dictionary, values.json)
    }
  }

  private func tagged(_ tag: Tag, _ value: JSONValue) -> JSONValue {
    .object([JSONValue.Member(tag.rawValue, value)])
  }
}

extension [String: ModelValue] {
  /// The values as written in schema files.
  package var json: JSONValue {
    .object(sorted { $0.key.precedes($1.key) }.map { JSONValue.Member($0.key, $0.value.json) })
  }
}
