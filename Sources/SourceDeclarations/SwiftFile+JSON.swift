package import JSONText

extension [SwiftFile] {
  /// The document that `outbox-source` prints.
  package var document: JSONValue {
    ["files": JSONValue(self) { $0.json }]
  }

  /// Reads the document that `outbox-source` prints.
  package init(document bytes: [UInt8]) throws(JSONError) {
    let object = try JSONNode(parsing: bytes).object(allowing: ["files"])
    self = []
    for node in try object.required("files").array { append(try SwiftFile(node)) }
  }
}

extension SwiftFile {
  fileprivate var json: JSONValue {
    var members: [JSONValue.Member] = [.init("path", .string(path))]
    if let error = syntaxError {
      members.append(.init("error", .string(error.message)))
      members.append(.init("at", error.position.json))
    }
    members.add("declarations", declarations) { $0.json }
    members.add("calls", calls) { $0.json }
    return .object(members)
  }

  fileprivate init(_ node: JSONNode) throws(JSONError) {
    let object = try node.object(allowing: ["path", "error", "at", "declarations", "calls"])
    self.init(
      path: try object.required("path").string,
      declarations: try object.elements("declarations", SwiftDeclaration.init),
      calls: try object.elements("calls", SwiftAttribute.init),
      syntaxError: try object.optional("error").map { node throws(JSONError) in
        SwiftSyntaxError(
          position: try SwiftPosition(try object.required("at")), message: try node.string)
      })
  }
}

extension SwiftPosition {
  fileprivate var json: JSONValue { [.int(Int64(line)), .int(Int64(column))] }

  fileprivate init(_ node: JSONNode) throws(JSONError) {
    let numbers = try node.array
    guard numbers.count == 2 else { throw node.error("expected a line and a column") }
    self.init(line: Int(try numbers[0].integer), column: Int(try numbers[1].integer))
  }
}

extension SwiftDeclaration {
  fileprivate var json: JSONValue {
    var json: [JSONValue.Member] = [
      .init("kind", .string(kind.rawValue)), .init("name", .string(name)),
      .init("at", position.json),
    ]
    json.add("attributes", attributes) { $0.json }
    json.add("modifiers", modifiers) { .string($0) }
    json.add("inherited", inherited) { $0.json }
    if let type { json.append(.init("type", type.json)) }
    if let value { json.append(.init("value", value.json)) }
    json.add("arguments", arguments) { $0.json }
    json.add("generics", generics) { .string($0) }
    json.add("members", members) { $0.json }
    return .object(json)
  }

  fileprivate init(_ node: JSONNode) throws(JSONError) {
    let object = try node.object(allowing: [
      "kind", "name", "at", "attributes", "modifiers", "inherited", "type", "value", "arguments",
      "generics", "members",
    ])
    self.init(
      try object.required("kind").name(as: Kind.self), try object.required("name").string,
      at: try SwiftPosition(object.required("at")),
      attributes: try object.elements("attributes", SwiftAttribute.init),
      modifiers: try object.optional("modifiers")?.strings ?? [],
      inherited: try object.elements("inherited", SwiftType.init),
      type: try object.optional("type").map(SwiftType.init),
      value: try object.optional("value").map(SwiftExpression.init),
      arguments: try object.elements("arguments", SwiftArgument.init),
      generics: try object.optional("generics")?.strings ?? [],
      members: try object.elements("members", SwiftDeclaration.init))
  }
}

extension SwiftAttribute {
  fileprivate var json: JSONValue {
    var json: [JSONValue.Member] = [.init("name", .string(name)), .init("at", position.json)]
    json.add("arguments", arguments) { $0.json }
    json.add("clauses", clauses) { $0.json }
    return .object(json)
  }

  fileprivate init(_ node: JSONNode) throws(JSONError) {
    let object = try node.object(allowing: ["name", "at", "arguments", "clauses"])
    self.init(
      try object.required("name").string, at: try SwiftPosition(object.required("at")),
      arguments: try object.elements("arguments", SwiftArgument.init),
      clauses: try object.elements("clauses", Clause.init))
  }
}

extension SwiftAttribute.Clause {
  fileprivate var json: JSONValue {
    var json: [JSONValue.Member] = [.init("name", .string(name))]
    if let condition { json.append(.init("value", condition.json)) }
    json.add("attributes", attributes) { $0.json }
    return .object(json)
  }

  fileprivate init(_ node: JSONNode) throws(JSONError) {
    let object = try node.object(allowing: ["name", "value", "attributes"])
    self.init(
      try object.required("name").string, try object.optional("value").map(SwiftExpression.init),
      try object.elements("attributes", SwiftAttribute.init))
  }
}

extension SwiftType {
  fileprivate var json: JSONValue {
    var json: [JSONValue.Member] = [.init("name", .string(name))]
    json.add("arguments", arguments) { $0.json }
    return .object(json)
  }

  fileprivate init(_ node: JSONNode) throws(JSONError) {
    let object = try node.object(allowing: ["name", "arguments"])
    self.init(
      try object.required("name").string, try object.elements("arguments", SwiftType.init))
  }
}

extension SwiftExpression {
  fileprivate var json: JSONValue {
    var json: [JSONValue.Member] = [
      .init("kind", .string(kind.rawValue)), .init("text", .string(text)),
    ]
    if let type { json.append(.init("type", type.json)) }
    json.add("arguments", arguments) { $0.json }
    return .object(json)
  }

  fileprivate init(_ node: JSONNode) throws(JSONError) {
    let object = try node.object(allowing: ["kind", "text", "type", "arguments"])
    self.init(
      try object.required("kind").name(as: Kind.self), try object.required("text").string,
      type: try object.optional("type").map(SwiftType.init),
      try object.elements("arguments", SwiftArgument.init))
  }
}

extension SwiftArgument {
  fileprivate var json: JSONValue {
    var json: [JSONValue.Member] = []
    if let label { json.append(.init("label", .string(label))) }
    json.append(.init("value", value.json))
    return .object(json)
  }

  fileprivate init(_ node: JSONNode) throws(JSONError) {
    let object = try node.object(allowing: ["label", "value"])
    self.init(
      try object.optional("label")?.string, try SwiftExpression(object.required("value")))
  }
}

extension [JSONValue.Member] {
  /// Adds an array, unless it is empty.
  fileprivate mutating func add<Item>(
    _ key: String, _ elements: [Item], _ json: (Item) -> JSONValue
  ) {
    if !elements.isEmpty { append(.init(key, JSONValue(elements, json))) }
  }
}

extension JSONObject {
  fileprivate func elements<Element>(
    _ key: String, _ read: (JSONNode) throws(JSONError) -> Element
  ) throws(JSONError) -> [Element] {
    var elements: [Element] = []
    for node in try optional(key)?.array ?? [] { elements.append(try read(node)) }
    return elements
  }
}
