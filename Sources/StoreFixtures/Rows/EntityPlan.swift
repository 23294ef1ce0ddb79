import StoreModel
import SQLite
import StoreFormat

/// How to create and write the rows of one entity.
struct EntityPlan: Sendable {
  /// The contents of a column.
  enum Content: Sendable {
    case key
    case entityNumber
    case optimisticLock
    case attribute(AttributeRecipe)
    case foreignKey(RelationshipRecipe)
    case entityKey(RelationshipRecipe)

    /// The key of the source row in a to-many relationship without an inverse.
    case holder(RowSet, hash: UInt64)

    /// A position in an ordered relationship.
    case ordering(hash: UInt64)
  }

  let rowSet: RowSet
  let table: Table

  /// The columns of the entity's rows, including inherited ones.
  let columns: [(name: String, content: Content)]

  /// The recipes by attribute name, for payloads that contain values of rows.
  let recipes: [String: AttributeRecipe]

  init?(_ rowSet: RowSet, in fixture: FixturePlan) {
    guard let table = fixture.layout.table(of: rowSet.name) else { return nil }
    self.rowSet = rowSet
    self.table = table
    let chooser = ContentChooser(
      rowSet: rowSet, ancestry: Set(fixture.model.chain(from: rowSet.name)), fixture: fixture)
    columns = table.columns.compactMap { column in
      chooser.content(of: column).map { (column.name, $0) }
    }
    recipes = Dictionary(
      zip(table.columns, table.columns.map(chooser.content)).compactMap { column, content in
        guard case .attribute(_, let path, _) = column.content, let name = path.last,
          case .attribute(let recipe) = content
        else { return nil }
        return (name, recipe)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The statement that inserts a row, with a parameter for each column.
  var insertStatement: String {
    let names = columns.map { identifier($0.name) }.joined(separator: ", ")
    let parameters = columns.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO \(identifier(table.name)) (\(names)) VALUES (\(parameters))"
  }

  /// Returns the value of an attribute in a row.
  func value(_ attribute: String, at index: Int, in fixture: FixturePlan) -> Value {
    recipes[attribute]?.value(of: rowSet, at: index, in: fixture) ?? .null
  }

  /// Returns how many times a row was saved.
  func saves(at index: Int, in fixture: FixturePlan) -> Int64 {
    var random = fixture.random(rowSet.hash &+ 1, index)
    return random.chance(30) ? Int64(random.integer(2...4)) : 1
  }
}

/// Chooses the contents of columns for the rows of one entity.
private struct ContentChooser {
  let rowSet: RowSet
  let ancestry: Set<String>
  let fixture: FixturePlan

  /// Returns the contents of a column, or `nil` if it belongs to another entity in the table.
  func content(of column: Column) -> EntityPlan.Content? {
    switch column.content {
    case .primaryKey: .key
    case .entityNumber: .entityNumber
    case .optimisticLock: .optimisticLock
    case .attribute(let owner, let path, _): attribute(owner: owner, path: path)
    case .foreignKey(let owner, let name): relationship(owner: owner, name).map { .foreignKey($0) }
    case .entityKey(let owner, let name): relationship(owner: owner, name).map { .entityKey($0) }
    case .inverselessKey(let source, let name):
      isDestination(of: name, source)
        ? fixture.rowSets(under: source).first.map {
          .holder($0, hash: stableHash(source + "." + name))
        } : nil
    case .ordering(let owner, let name):
      ancestry.contains(owner) ? .ordering(hash: stableHash(owner + "#" + name)) : nil
    case .inverselessOrdering(let source, let name):
      isDestination(of: name, source) ? .ordering(hash: stableHash(source + "#" + name)) : nil
    }
  }

  /// Whether a relationship of another entity leads to the rows.
  private func isDestination(of relationship: String, _ source: String) -> Bool {
    guard case .relationship(let relationship) = fixture.model[source]?[relationship] else {
      return false
    }
    return ancestry.contains(relationship.destinationName)
  }

  private func attribute(owner: String, path: [String]) -> EntityPlan.Content? {
    guard ancestry.contains(owner), let entity = fixture.model[owner], let name = path.first,
      case .attribute(let attribute) = entity[name],
      let leaf = attribute.leaves.first(where: { $0.path.last == path.last })?.attribute
    else { return nil }
    let isUnique = ancestry.contains { name in
      fixture.model[name]?.uniquenessConstraints.contains { $0.last == attribute.name } ?? false
    }
    return .attribute(
      AttributeRecipe(
        leaf, isOptional: attribute.isOptional, isUnique: isUnique, of: entity, in: fixture))
  }

  private func relationship(owner: String, _ name: String) -> RelationshipRecipe? {
    guard ancestry.contains(owner), let entity = fixture.model[owner],
      case .relationship(let relationship) = entity[name]
    else { return nil }
    return RelationshipRecipe(relationship, of: entity, rowSet: rowSet, in: fixture)
  }
}
