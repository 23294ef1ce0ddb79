import SQLite
import StoreFormat

/// The statements that create a store's tables, indexes and triggers, copied from the original.
struct SchemaStatements: Hashable, Sendable {
  let tables: [String]
  let indexes: [String]
  let triggers: [String]

  /// Takes the statements of a store.
  ///
  /// - Throws: ``AnonymisingError/strangeSchema(_:reason:)`` if a statement could contain more than
  ///   names: a comment, a text, or something that Core Data doesn't create.
  init(_ store: StoreDescription, path: String) throws(AnonymisingError) {
    func refuse(_ reason: String) -> AnonymisingError { .strangeSchema(path, reason: reason) }
    if store.textEncoding != "UTF-8" { throw refuse("its text encoding is \(store.textEncoding)") }
    if let view = store.views.first { throw refuse("it has a view, '\(view)'") }
    if let trigger = store.strangeTriggers.first {
      throw refuse("it has the trigger '\(trigger.name)'")
    }
    tables = store.tables.map(\.sql)
    indexes = store.indexes.compactMap(\.sql)
    triggers = store.triggers.map(\.sql)
    let names = store.tables.map(\.name) + store.indexes.filter { $0.sql != nil }.map(\.name)
    for (name, sql) in zip(names, tables + indexes) {
      let isPlain = ["CREATE TABLE ", "CREATE INDEX ", "CREATE UNIQUE INDEX "].contains {
        sql.hasPrefix($0)
      }
      if !isPlain { throw refuse("'\(name)' isn't an ordinary table or index") }
      if sql.contains("--") || sql.contains("/*") || sql.contains("'") {
        throw refuse("the statement of '\(name)' has a comment or a text")
      }
    }
    for (name, sql) in zip(store.triggers.map(\.name), triggers)
    where sql.contains("--") || sql.contains("/*") {
      throw refuse("the statement of '\(name)' has a comment")
    }
  }
}
