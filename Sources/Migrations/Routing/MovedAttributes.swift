import StoreModel

/// The attributes that move up or down in a hierarchy of entities and keep their values.
///
/// Core Data finds the former attribute of a row among all that its entity declares and inherits.
/// Source: "Using lightweight migration", Apple's documentation of Core Data.
struct MovedAttributes {
  /// The steps that carry values down from entities that are dropped, in the names of the source.
  let stepsBeforeDrops: [Step]

  /// The other steps, in the names of the target's entities.
  let steps: [Step]

  /// The former and the new attributes, in the names of the target's entities.
  let paths: Set<PropertyPath>

  /// The former attributes whose values rows of other entities lose.
  let losing: Set<PropertyPath>

  /// Finds the attributes.
  ///
  /// - Parameters:
  ///   - source: The model that the rows have.
  ///   - target: The new model.
  ///   - origins: The entities' names in the source, by those in the target.
  /// - Complexity: O(*n*²) in the number of entities.
  init(from source: Model, to target: Model, origins: [String: String]) {
    let search = HierarchySearch(source: source, target: target, origins: origins)
    let up = target.entities.flatMap(search.merges)
    let down = search.splits
    stepsBeforeDrops = down.filter(\.isOfDroppedEntity).map(\.step)
    steps = up.map(\.step) + down.filter { !$0.isOfDroppedEntity }.map(\.step)
    paths = Set((up + down).flatMap(\.paths))
    losing = Set(down.compactMap(\.losing))
  }
}

/// Attributes of several entities that are one attribute in the other model.
private struct AttributeMove {
  let step: Step

  /// All that takes part, in the names of the target's entities.
  let paths: [PropertyPath]
  var isOfDroppedEntity = false

  /// The former attribute, if rows of other entities lose its values.
  var losing: PropertyPath?
}

private struct HierarchySearch {
  let source: Model
  let target: Model
  let origins: [String: String]

  private func former(of entity: Entity) -> Entity? { origins[entity.name].flatMap { source[$0] } }

  private func successor(of name: String) -> Entity? {
    target.entities.first { origins[$0.name] == name }
  }

  /// Returns the attributes of an entity that its former self doesn't have, under any name.
  private func newAttributes(of entity: Entity, since former: Entity) -> [Attribute] {
    let known = entity.origins(in: former)
    return entity.attributes.filter { known[$0.name] == nil && $0.type != .composite }
  }

  /// Returns the attribute of a former entity that is one of another entity now.
  ///
  /// - Parameters:
  ///   - attribute: One of the new attributes of another entity.
  ///   - news: All of them: one former attribute is the origin of one of them only.
  ///   - former: The entity that had it.
  ///   - successor: What became of that entity; `nil` if it is dropped.
  /// - Returns: The former attribute; `nil` if no single one of its type is the origin.
  private func origin(
    of attribute: Attribute, among news: [Attribute], in former: Entity, now successor: Entity?
  ) -> Attribute? {
    let present = successor?.properties ?? []
    let arrived = news.filter { successor?[$0.name] == nil }.map(Property.attribute)
    let all = Entity(name: former.name, properties: present + arrived)
    guard successor?[attribute.name] == nil, let name = all.origins(in: former)[attribute.name],
      case .attribute(let before) = former[name], before.type == attribute.type,
      before.allowsExternalStorage == attribute.allowsExternalStorage
    else { return nil }
    return before
  }

  /// Returns the attributes that moved from sub-entities to an entity.
  func merges(into entity: Entity) -> [AttributeMove] {
    guard let former = former(of: entity) else { return [] }
    let news = newAttributes(of: entity, since: former)
    return news.compactMap { attribute in
      let sources = target.entities.filter {
        $0.name != entity.name && target.inherits($0.name, from: entity.name)
      }.compactMap { sub in
        self.former(of: sub).flatMap { origin(of: attribute, among: news, in: $0, now: sub) }
          .map { PropertyPath(entity: sub.name, property: $0.name) }
      }
      guard !sources.isEmpty else { return nil }
      let path = PropertyPath(entity: entity.name, property: attribute.name)
      return AttributeMove(step: .merge(sources, to: path), paths: sources + [path])
    }
  }

  /// The attributes that moved from an entity to sub-entities.
  var splits: [AttributeMove] {
    let moves = target.entities.flatMap(movesDown)
    return source.entities.flatMap { former in
      Dictionary(grouping: moves.filter { $0.from.entity == former.name }, by: \.from)
        .sorted { $0.key.property < $1.key.property }
        .map { split($0.key, to: $0.value.map(\.to)) }
    }
  }

  /// Returns the attributes of an entity that it inherited before, in the names of both models.
  private func movesDown(
    to entity: Entity
  ) -> [(from: PropertyPath, to: PropertyPath)] {
    guard let own = former(of: entity) else { return [] }
    let ancestors = source.entities.filter {
      $0.name != own.name && source.inherits(own.name, from: $0.name)
    }
    let news = newAttributes(of: entity, since: own)
    return news.compactMap { attribute in
      let found = ancestors.compactMap { ancestor in
        origin(
          of: attribute, among: news, in: ancestor, now: successor(of: ancestor.name)
        ).flatMap {
          attribute.isOptional || !$0.isOptional
            ? PropertyPath(entity: ancestor.name, property: $0.name) : nil
        }
      }
      // An equal name comes before renaming identifiers, and nothing is guessed.
      let namesakes = found.filter { $0.property == attribute.name }
      guard let from = namesakes.first ?? found.first, found.count == 1 || namesakes.count == 1
      else { return nil }
      return (from, PropertyPath(entity: entity.name, property: attribute.name))
    }
  }

  private func split(_ from: PropertyPath, to paths: [PropertyPath]) -> AttributeMove {
    let isLossy = source.entities.contains { former in
      guard !former.isAbstract, source.inherits(former.name, from: from.entity),
        let present = successor(of: former.name)
      else { return false }
      return !paths.contains { target.inherits(present.name, from: $0.entity) }
    }
    guard let present = successor(of: from.entity) else {
      let olds = paths.map {
        PropertyPath(entity: origins[$0.entity] ?? $0.entity, property: $0.property)
      }
      return AttributeMove(
        step: .split(from, to: olds), paths: paths, isOfDroppedEntity: true)
    }
    let path = PropertyPath(entity: present.name, property: from.property)
    return AttributeMove(
      step: .split(path, to: paths), paths: paths + [path], losing: isLossy ? path : nil)
  }
}
