import StoreFormat
import StoreModel

/// What a result has in common with its original, as a list to print.
package struct KeptNames: Hashable, Sendable {
  /// The names of entities, attributes and relationships, and the app's version identifiers.
  package let model: [String]

  /// The names of tables, indexes and triggers.
  package let schema: [String]

  /// The values that the app's model and migrations declare, by attribute.
  package let values: [String: [String]]

  /// The keys of JSON that stay.
  package let keys: [String]

  init(_ store: StoreDescription, model: Model, words: KeptWords) {
    let names = model.entities.flatMap { entity in
      [entity.name] + entity.properties.map { "\(entity.name).\($0.name)" }
    }
    self.model = names + (store.metadata?.versionIdentifiers ?? [])
    schema =
      store.tables.map(\.name) + store.indexes.filter { $0.sql != nil }.map(\.name)
      + store.triggers.map(\.name)
    values = words.values.mapValues { $0.sorted() }
    keys = words.keys.sorted()
  }
}
