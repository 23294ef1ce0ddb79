import JSONText
import Platform
import StoreModel

/// An error in a template: its position, and the reason.
struct TemplateProblem: Error, Hashable {
  let path: String
  let reason: String

  /// The message, such as `exercises[2].sets is not a whole number`.
  var sentence: String { path.isEmpty ? reason : "\(path) \(reason)" }
}

/// The members of a JSON object, read leniently.
///
/// `null` counts as absent, and unknown keys are collected.
struct Fields {
  private let members: [String: JSONNode]
  private let path: String
  private var known: Set<String> = []

  /// - Throws: A ``TemplateProblem`` if the value isn't an object.
  init(_ node: JSONNode, path: String = "") throws(TemplateProblem) {
    guard case .object(let members) = node.value else {
      throw TemplateProblem(path: path, reason: "is \(node.typeDescription), not an object")
    }
    self.members = Dictionary(
      members.map { ($0.key, $0.node) }, uniquingKeysWith: { first, _ in first })
    self.path = path
  }

  /// The keys that weren't read.
  var unknown: [String] { members.keys.filter { !known.contains($0) }.sorted() }

  mutating func node(_ key: String) -> JSONNode? {
    known.insert(key)
    return members[key].flatMap { $0.isNull ? nil : $0 }
  }

  mutating func text(_ key: String) throws(TemplateProblem) -> String? {
    guard let node = node(key) else { return nil }
    guard case .string(let text) = node.value else { throw wrong(key, "not a string") }
    return text
  }

  /// Returns a string that must be one of these words.
  mutating func word(_ key: String, of words: [String]) throws(TemplateProblem) -> String? {
    guard let text = try text(key) else { return nil }
    guard words.contains(text) else {
      throw wrong(key, "not one of " + words.joined(separator: ", "))
    }
    return text
  }

  mutating func boolean(_ key: String) throws(TemplateProblem) -> Bool? {
    guard let node = node(key) else { return nil }
    guard case .bool(let value) = node.value else { throw wrong(key, "not true or false") }
    return value
  }

  /// Returns a whole number; `3.0` is one, too.
  mutating func integer(_ key: String) throws(TemplateProblem) -> Int64? {
    guard let number = try number(key) else { return nil }
    if case .number(let spelling)? = members[key]?.value, let exact = Int64(spelling) {
      return exact
    }
    guard let integer = Int64(exactly: number) else { throw wrong(key, "not a whole number") }
    return integer
  }

  mutating func number(_ key: String) throws(TemplateProblem) -> Double? {
    guard let node = node(key) else { return nil }
    guard case .number(let spelling) = node.value, let number = Double(spelling), number.isFinite
    else { throw wrong(key, "not a number") }
    return number
  }

  mutating func uuid(_ key: String) throws(TemplateProblem) -> [UInt8]? {
    guard let text = try text(key) else { return nil }
    guard let bytes = uuidBytes(text) else { throw wrong(key, "not a UUID") }
    return bytes
  }

  /// Returns a date in seconds since 2001-01-01 UTC, from a number of them or an ISO 8601 string.
  mutating func date(_ key: String) throws(TemplateProblem) -> Double? {
    guard let node = node(key) else { return nil }
    if case .string(let text) = node.value {
      guard let seconds = Timestamp(text: text)?.secondsSince2001 else {
        throw wrong(key, "not an ISO 8601 date")
      }
      return seconds
    }
    return try number(key)
  }

  private func wrong(_ key: String, _ what: String) -> TemplateProblem {
    TemplateProblem(path: path.isEmpty ? key : "\(path).\(key)", reason: "is \(what)")
  }
}
