package import Migrations
import JSONText
import OutboxCore
import OutboxFormat
package import StoreModel

/// The words of an app that a result keeps: values of enumerations, and keys of JSON.
///
/// They come from the app's model and its migration files only, never from rows. A value counts only
/// in the attributes that declare it: a name that equals a status is replaced.
package struct KeptWords: Hashable, Sendable {
  /// The values by attribute, as `Entity.attribute`; numbers as their digits.
  package private(set) var values: [String: Set<String>] = [:]

  /// The keys of JSON objects and property lists.
  package private(set) var keys: Set<String> = []

  /// Collects the words.
  ///
  /// - Parameters:
  ///   - model: The model of the store.
  ///   - migrations: The migrations of its app.
  package init(model: Model, migrations: [Migration]) {
    keys = Set(PayloadKey.names + Self.secretKeys)
    for entity in model.entities { note(entity) }
    for migration in migrations {
      for step in migration.steps { note(step.json, in: model) }
    }
    noteOutbox(of: model)
  }

  /// The keys of passwords and tokens: plans warn about them, and their values are replaced.
  private static let secretKeys = [
    "password", "token", "access_token", "accessToken", "refresh_token", "refreshToken",
    "auth_token", "authToken", "api_key", "apiKey",
  ]

  /// Returns whether an attribute keeps a value.
  func keeps(_ word: String, at place: String) -> Bool { values[place]?.contains(word) == true }

  private mutating func note(_ entity: Entity) {
    for attribute in entity.attributes {
      for leaf in attribute.leaves {
        keys.insert(leaf.attribute.name)
        guard let word = leaf.attribute.defaultValue?.word else { continue }
        values["\(entity.name).\(leaf.cellName)", default: []].insert(word)
      }
    }
    for relationship in entity.relationships { keys.insert(relationship.name) }
  }

  /// The values of Lume's and FitIQ's outbox that both apps declare.
  private mutating func noteOutbox(of model: Model) {
    let entity = "SDOutboxEvent"
    let counts = (0...99).map { "\($0)" }
    let declared = [
      "eventType": EventKind.names, "status": OutboxEventStatus.allCases.map(\.rawValue),
      "retryCount": counts, "attemptCount": counts, "maxAttempts": counts, "priority": counts,
    ]
    for (attribute, words) in declared where model[entity]?[attribute] != nil {
      values["\(entity).\(attribute)", default: []].formUnion(words)
    }
  }

  /// Notes the literals of a step for the attributes that the step names.
  private mutating func note(_ step: JSONValue, in model: Model) {
    var texts: [String] = []
    var words: Set<String> = []
    step.collect(into: &texts, keys: &words)
    for text in texts { words.formUnion(text.quotedLiterals) }
    guard !words.isEmpty else { return }
    keys.formUnion(words.filter(\.isIdentifier))
    let names = texts.reduce(into: Set<Substring>()) { $0.formUnion($1.identifiers) }
    for entity in model.entities where names.contains(entity.name[...]) {
      for attribute in entity.attributes where names.contains(attribute.name[...]) {
        values["\(entity.name).\(attribute.name)", default: []].formUnion(words)
      }
    }
  }
}

extension ModelValue {
  /// The value as a kept word; `nil` for values that aren't words.
  fileprivate var word: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .integer(let number): "\(number)"
    case .null, .boolean, .real, .date, .url, .data, .uuid, .decimal, .array, .dictionary: nil
    }
  }
}

extension JSONValue {
  /// Collects the texts of a step, and the keys of its tables of values.
  fileprivate func collect(
    into texts: inout [String], keys words: inout Set<String>, isTable: Bool = false
  ) {
    switch self {
    case .string(let text):
      texts.append(text)
      if isTable { words.insert(text) }
    case .array(let elements):
      for element in elements { element.collect(into: &texts, keys: &words) }
    case .object(let members):
      for member in members {
        if isTable { words.insert(member.key) }
        member.value.collect(into: &texts, keys: &words, isTable: member.key == "values")
      }
    default: break
    }
  }
}

extension String {
  /// The literals between single quotes in an SQL expression.
  fileprivate var quotedLiterals: [String] {
    let parts = split(separator: "'", omittingEmptySubsequences: false)
    guard parts.count >= 3 else { return [] }
    return stride(from: 1, to: parts.count - 1, by: 2).map { String(parts[$0]) }.filter {
      !$0.isEmpty
    }
  }

  /// The identifiers in an SQL expression, or in a path with dots.
  fileprivate var identifiers: [Substring] {
    split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }
  }

  fileprivate var isIdentifier: Bool {
    utf8.count <= 64 && utf8.first.map { !($0 >= 0x30 && $0 <= 0x39) } == true
      && identifiers == [self[...]]
  }
}
