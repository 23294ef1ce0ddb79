import StoreFormat
import StoreModel

/// What a result has in common with its original, as a list to print.
package struct KeptNames: Hashable, Sendable {
  /// The names and words of the model: entities, properties, classes, identifiers, its user info.
  package let model: [String]

  /// The names of tables, indexes and triggers, and the other words of their statements.
  ///
  /// These are the names of columns, types and functions.
  package let schema: [String]

  /// The values that the app's model and migrations declare, by attribute.
  package let values: [String: [String]]

  /// The keys of JSON that stay.
  package let keys: [String]

  /// Collects the names.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - model: Its model.
  ///   - words: The words of its app.
  ///   - schemaWords: The words of its statements.
  ///   - caches: Its model caches; one that can't be written again from its model is copied, with
  ///     its texts.
  init(
    _ store: StoreDescription, model: Model, words: KeptWords, schemaWords: [String],
    caches: [[UInt8]]
  ) {
    var names: Set<String> = Set(store.entityNumbers.map(\.name))
    names.formUnion(store.metadata?.versionIdentifiers ?? [])
    names.formUnion(store.metadata?.hashes?.entities.keys.map { $0 } ?? [])
    for described in [model, store.cachedModel].compactMap(\.self) {
      names.formUnion(described.versionIdentifiers)
      for entity in described.entities { names.formUnion(entity.words) }
    }
    for cache in caches { names.formUnion(CachedModel(cache)?.texts ?? []) }
    self.model = names.sorted()
    let made =
      store.tables.map(\.name) + store.indexes.filter { $0.sql != nil }.map(\.name)
      + store.triggers.map(\.name)
    let known = Set(made)
    schema = made + schemaWords.filter { !known.contains($0) }
    values = words.values.mapValues { $0.sorted() }
    keys = words.keys.sorted()
  }
}

extension Entity {
  /// All texts of the entity in a model.
  fileprivate var words: [String] {
    var words = [name, className, renamingIdentifier, versionHashModifier].compactMap(\.self)
    words += userInfo.words + indexes.map(\.name)
    for property in properties {
      words.append("\(name).\(property.name)")
      switch property {
      case .attribute(let attribute): words += attribute.words
      case .relationship(let relationship):
        words +=
          [relationship.renamingIdentifier, relationship.versionHashModifier]
          .compactMap(\.self) + relationship.userInfo.words
      case .fetched: break
      }
    }
    return words
  }
}

extension Attribute {
  fileprivate var words: [String] {
    let names = [valueClassName, valueTransformerName, renamingIdentifier, versionHashModifier]
    return names.compactMap(\.self) + userInfo.words + (defaultValue?.words ?? [])
      + elements.flatMap { [$0.name] + $0.words }
  }
}

extension [String: ModelValue] {
  fileprivate var words: [String] { keys.map { $0 } + values.flatMap(\.words) }
}

extension ModelValue {
  /// The texts of a value; bytes and numbers as their digits.
  fileprivate var words: [String] {
    switch self {
    case .string(let text), .url(let text), .decimal(let text): [text]
    case .integer(let number): ["\(number)"]
    case .real(let number), .date(let number): ["\(number)"]
    case .data(let bytes), .uuid(let bytes): ["\(bytes.count) bytes"]
    case .array(let elements): elements.flatMap(\.words)
    case .dictionary(let members): members.words
    case .null, .boolean: []
    }
  }
}
