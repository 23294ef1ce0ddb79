import Migrations
import OutboxFormat
import RowRewriting
import SQLite
import StoreFormat
import StoreMigration
import StoreModel

/// A condition over the attributes of an entity's rows, in the SQL of migration files.
///
/// Attributes are named as in the model, those of a linked row as `relationship.attribute`. The name
/// of a to-one relationship alone is the key of the linked row. SQLite's authorizer allows no table,
/// no subquery, and only the functions of formulas.
struct RowCondition {
  /// The SQL, in parentheses, over the entity's table.
  let sql: String

  /// Checks a condition.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - entity: The entity, by its name in the model.
  ///   - reader: The store.
  /// - Throws: A ``RowQueryError`` if the text isn't a condition, or reads what is never shown.
  init(_ text: String, on entity: String, _ reader: RowReader) throws(RowQueryError) {
    let own = reader.columns(of: entity, withKeys: true)
    let scopes = reader.scopes(of: entity)
    let expression: ScalarExpression
    do throws(ScalarExpression.Mistake) {
      expression = try ScalarExpression(
        text, over: own.keys.sorted(), scopes: scopes.mapValues { $0.columns.keys.sorted() },
        functions: FormulaFunctions.all)
    } catch {
      throw .badCondition(text, reason: error.reason)
    }
    // A count confirms a guess, so a condition over a secret would reveal it.
    let read = expression.names.map { name in
      name.scope.map { "\(scopes[$0]?.entity ?? entity).\(name.value)" }
        ?? "\(entity).\(name.value)"
    }
    if let secret = read.sorted().first(where: SecretNames.occur(in:)) {
      throw .secretCondition(secret)
    }
    if SecretNames.occur(in: text) { throw .secretCondition(text) }
    let used = Set(expression.names.compactMap(\.scope))
    sql = expression.sql(
      scopes: scopes.filter { used.contains($0.key) }.sorted { $0.key < $1.key }.map {
        .init(name: $0.key, source: $0.value.source)
      }
    ) { name in
      let column = name.scope.map { scopes[$0]?.columns[name.value] } ?? own[name.value]
      return column.map(quoteIdentifier) ?? "NULL"
    }
  }
}

extension RowReader {
  /// A row that a to-one relationship leads to, as a condition reads it.
  fileprivate struct LinkedRow {
    let entity: String

    /// The columns, by the names of attributes.
    let columns: [String: String]

    /// The clauses that find the row.
    let source: String
  }

  /// Returns the columns of an entity that the store has, by their properties' names.
  fileprivate func columns(of entity: String, withKeys: Bool) -> [String: String] {
    guard let table = layout.table(of: entity) else { return [:] }
    let chain = model.chain(from: entity)
    let present = Set(
      (store.table(named: table.name)?.columns ?? []).map { $0.name.lowercased() })
    var columns: [String: String] = [:]
    for column in table.columns where present.contains(column.name.lowercased()) {
      switch column.content {
      case .attribute(let owner, let path, _) where chain.contains(owner):
        columns[path.joined(separator: ".").withoutRepetition] = column.name
      case .foreignKey(let owner, let name) where withKeys && chain.contains(owner):
        columns[name] = column.name
      default: continue
      }
    }
    return columns
  }

  fileprivate func scopes(of entity: String) -> [String: LinkedRow] {
    guard let table = layout.table(of: entity) else { return [:] }
    var scopes: [String: LinkedRow] = [:]
    for case .relationship(let relationship) in model.properties(of: entity)
    where !relationship.isToMany {
      guard
        let owner = model.relationship(named: relationship.name, of: entity)?.entity,
        let key = table.column(.foreignKey(entity: owner, relationship: relationship.name)),
        columns(of: entity, withKeys: true)[relationship.name] != nil,
        let other = layout.table(of: relationship.destinationName),
        store.table(named: other.name) != nil
      else { continue }
      let own = "\(quoteIdentifier(table.name)).\(quoteIdentifier(key.name))"
      scopes[relationship.name] = LinkedRow(
        entity: relationship.destinationName,
        columns: columns(of: relationship.destinationName, withKeys: false),
        source: "FROM \(qualified(other.name, in: "main")) AS \"linked row\" WHERE Z_PK = \(own)")
    }
    return scopes
  }
}
