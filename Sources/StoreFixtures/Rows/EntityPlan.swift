import SQLite
import StoreFormat
import StoreModel

/// How the rows of one entity are made and written.
struct EntityPlan: Sendable {
  /// What a column of the entity's rows holds.
  enum Content: Sendable {
    case key
    case entityNumber
    case optimisticLock
    case attribute(AttributeRecipe)
    case foreignKey(RelationshipRecipe)
    case entityKey(RelationshipRecipe)

    /// The key of a row that holds this one in a relationship without inverse.
    case holder(Crowd, hash: UInt64)

    /// A place in an ordered relationship.
    case ordering(hash: UInt64)
  }

  let crowd: Crowd
  let table: Table

  /// The columns that the entity's rows have, those of its super-entities included.
  let columns: [(name: String, content: Content)]

  /// The recipes by the attributes' names, for rows that quote others.
  let recipes: [String: AttributeRecipe]

  init?(_ crowd: Crowd, in world: World) {
    guard let table = world.layout.table(of: crowd.name) else { return nil }
    self.crowd = crowd
    self.table = table
    let chooser = ContentChooser(
      crowd: crowd, ancestry: Set(world.model.chain(from: crowd.name)), world: world)
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

  /// The statement that writes a row, with a parameter for each column.
  var insertStatement: String {
    let names = columns.map { identifier($0.name) }.joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO \(identifier(table.name)) (\(names)) VALUES (\(marks))"
  }

  /// Returns the value of an attribute in a row.
  func value(_ attribute: String, at index: Int, in world: World) -> Value {
    recipes[attribute]?.value(of: crowd, at: index, in: world) ?? .null
  }

  /// Returns how often a row was saved.
  func saves(at index: Int, in world: World) -> Int64 {
    var random = world.random(crowd.hash &+ 1, index)
    return random.chance(30) ? Int64(random.integer(2...4)) : 1
  }
}

/// Decides what a column holds in the rows of one entity.
private struct ContentChooser {
  let crowd: Crowd
  let ancestry: Set<String>
  let world: World

  /// Returns what a column holds; none for one of another entity in the same table.
  func content(of column: Column) -> EntityPlan.Content? {
    switch column.content {
    case .primaryKey: .key
    case .entityNumber: .entityNumber
    case .optimisticLock: .optimisticLock
    case .attribute(let owner, let path, _): attribute(owner: owner, path: path)
    case .foreignKey(let owner, let name): relationship(owner: owner, name).map { .foreignKey($0) }
    case .entityKey(let owner, let name): relationship(owner: owner, name).map { .entityKey($0) }
    case .inverselessKey(let source, let name):
      world.crowds(under: source).first.map { .holder($0, hash: stableHash(source + "." + name)) }
    case .ordering(let owner, let name):
      ancestry.contains(owner) ? .ordering(hash: stableHash(owner + "#" + name)) : nil
    }
  }

  private func attribute(owner: String, path: [String]) -> EntityPlan.Content? {
    guard ancestry.contains(owner), let entity = world.model[owner], let name = path.first,
      case .attribute(let attribute) = entity[name],
      let leaf = attribute.leaves.first(where: { $0.path.last == path.last })?.attribute
    else { return nil }
    let isUnique = ancestry.contains { name in
      world.model[name]?.uniquenessConstraints.contains { $0.last == attribute.name } ?? false
    }
    return .attribute(
      AttributeRecipe(
        leaf, isOptional: attribute.isOptional, isUnique: isUnique, of: entity, in: world))
  }

  private func relationship(owner: String, _ name: String) -> RelationshipRecipe? {
    guard ancestry.contains(owner), let entity = world.model[owner],
      case .relationship(let relationship) = entity[name]
    else { return nil }
    return RelationshipRecipe(relationship, of: entity, crowd: crowd, in: world)
  }
}
