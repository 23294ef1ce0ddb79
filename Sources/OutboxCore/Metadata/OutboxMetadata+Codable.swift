import JSONText

/// Encoders write the flat coding; decoders read every coding that ``init(utf8:)`` reads.
extension OutboxMetadata: Codable {
  public func encode(to encoder: any Encoder) throws {
    try JSONTree(json).encode(to: encoder)
  }

  public init(from decoder: any Decoder) throws {
    let tree = try JSONTree(from: decoder)
    do throws(OutboxMetadataError) {
      self = try OutboxMetadata(utf8: tree.value.bytes())
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "\(error)"))
    }
  }
}

/// A JSON document that works with any encoder and decoder.
private struct JSONTree: Codable {
  let value: JSONValue

  init(_ value: JSONValue) {
    self.value = value
  }

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Key.self) {
      value = .object(
        try container.allKeys.map { key in
          JSONValue.Member(key.stringValue, try container.decode(JSONTree.self, forKey: key).value)
        })
      return
    }
    if var container = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !container.isAtEnd { elements.append(try container.decode(JSONTree.self).value) }
      value = .array(elements)
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      value = .null
    } else if let bool = try? container.decode(Bool.self) {
      value = .bool(bool)
    } else if let integer = try? container.decode(Int64.self) {
      value = .int(integer)
    } else if let number = try? container.decode(Double.self) {
      value = .number(number)
    } else {
      value = .string(try container.decode(String.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch value {
    case .object(let members):
      var container = encoder.container(keyedBy: Key.self)
      for member in members {
        try container.encode(JSONTree(member.value), forKey: Key(stringValue: member.key))
      }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(JSONTree(element)) }
    default: try encodeScalar(to: encoder)
    }
  }

  private func encodeScalar(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch value {
    case .bool(let bool): try container.encode(bool)
    case .int(let integer): try container.encode(integer)
    case .double(let double): try container.encode(double)
    case .string(let string): try container.encode(string)
    case .null, .array, .object: try container.encodeNil()
    }
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }
}
