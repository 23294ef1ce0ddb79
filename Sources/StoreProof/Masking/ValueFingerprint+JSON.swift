package import JSONText

extension ValueFingerprint {
  /// The keys of a fingerprint in JSON documents.
  package static let keys: [JSONForm.Member] = [
    .required("kind", .name(of: Kind.allCases.map(\.rawValue)), "The kind of the value."),
    .required("bytes", .orNull(.count), "The length of a text or of bytes; else null."),
    .required(
      "mark", .orNull(.string()),
      "The fingerprint of the value; null without a value, and for a secret."),
    .optional("value", .either([.number, .string()]), "The value, if it may be shown."),
  ]

  /// The members for a JSON document, with the value if it may be shown.
  package var members: [JSONValue.Member] {
    let fingerprint: [JSONValue.Member] = [
      .init("kind", .string(kind.rawValue)), .init("bytes", JSONValue(byteCount)),
      .init("mark", JSONValue(digits)),
    ]
    return fingerprint + (revealed.map { [.init("value", $0.json)] } ?? [])
  }

  package init(parsing object: JSONObject) throws(JSONError) {
    let kind = try object.required("kind").name(as: Kind.self)
    let bytes = try object.required("bytes")
    let value = try object.optional("value").map { (node) throws(JSONError) in
      try Revealed(parsing: node)
    }
    self.init(
      kind: kind, byteCount: bytes.isNull ? nil : Int(try bytes.count),
      digits: try object.required("mark").optionalString, revealed: value)
  }

  /// The fingerprint without the value.
  package var masked: ValueFingerprint {
    ValueFingerprint(kind: kind, byteCount: byteCount, digits: digits, revealed: nil)
  }
}

extension ValueFingerprint.Revealed {
  fileprivate var json: JSONValue {
    switch self {
    case .integer(let number): .int(number)
    // JSON has no infinite numbers.
    case .real(let number): number.isFinite ? .double(number) : .string("\(number)")
    case .text(let text): .string(text)
    }
  }

  fileprivate init(parsing node: JSONNode) throws(JSONError) {
    if case .string(let text) = node.value {
      self = .text(text)
    } else if case .number(let spelling) = node.value, let number = Int64(spelling) {
      self = .integer(number)
    } else {
      self = .real(try node.double)
    }
  }
}
