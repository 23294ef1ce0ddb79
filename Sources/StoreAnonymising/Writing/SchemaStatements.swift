import SQLite
import StoreFormat
import StoreModel

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
    let known = store.namesInSchema
    for (name, sql) in zip(names, tables + indexes) {
      let tokens = SchemaTokens(sql)
      if tokens.words.contains(where: { Self.clauses.contains($0.uppercased()) }) {
        throw refuse("the statement of '\(name)' has a default value, a condition or an expression")
      }
      try Self.check(tokens, known, isTable: sql.hasPrefix("CREATE TABLE ")) { what in
        refuse("the statement of '\(name)' has \(what)")
      }
    }
    for (name, sql) in zip(store.triggers.map(\.name), triggers) {
      if sql.contains("--") || sql.contains("/*") {
        throw refuse("the statement of '\(name)' has a comment")
      }
      try Self.check(SchemaTokens(sql), known, isTable: true) { what in
        refuse("the statement of '\(name)' has \(what)")
      }
    }
  }

  /// The words that begin a part with values of its own.
  private static let clauses: Set = ["DEFAULT", "CHECK", "WHERE", "AS", "GENERATED"]

  /// Throws if a statement has a quoted part that isn't a name, or a number with four digits.
  ///
  /// Types and counts have shorter numbers; an index has none.
  private static func check(
    _ tokens: SchemaTokens, _ known: Set<String>, isTable: Bool,
    refuse: (String) -> AnonymisingError
  ) throws(AnonymisingError) {
    for text in tokens.quotedNames + tokens.texts where !known.contains(text.uppercased()) {
      throw refuse("a text in quotes that isn't a name")
    }
    if tokens.numbers.contains(where: { $0.utf8.count > (isTable ? 3 : 0) }) {
      throw refuse("a number")
    }
  }

  /// The words of all statements but SQL's own, in alphabetical order.
  var words: [String] {
    let tokens = (tables + indexes + triggers).map { SchemaTokens($0) }
    return Set(tokens.flatMap { $0.words + $0.quotedNames + $0.texts })
      .filter { !Self.keywords.contains($0.uppercased()) }.sorted()
  }

  /// The words of SQL in statements of Core Data.
  private static let keywords: Set = [
    "CREATE", "TABLE", "UNIQUE", "INDEX", "TRIGGER", "ON", "PRIMARY", "KEY", "INTEGER", "VARCHAR",
    "FLOAT", "DECIMAL", "TIMESTAMP", "BLOB", "COLLATE", "BINARY", "ASC", "DESC", "AFTER", "INSERT",
    "UPDATE", "DELETE", "OF", "FOR", "EACH", "ROW", "WHEN", "BEGIN", "END", "SET", "SELECT", "FROM",
    "WHERE", "NOT", "NULL", "NEW", "OLD", "AND", "OR", "IN", "IS", "IFNULL", "COUNT", "SUM",
  ]
}

extension StoreDescription {
  /// The names that statements may have in quotes, in capitals: of the schema, and of the model.
  fileprivate var namesInSchema: Set<String> {
    var names = tables.flatMap { [$0.name] + $0.columns.map(\.name) }
    names += indexes.map(\.name) + triggers.map(\.name)
    for entity in cachedModel?.entities ?? [] {
      names += [entity.name] + entity.properties.map(\.name)
    }
    return Set(names.map { $0.uppercased() })
  }
}
