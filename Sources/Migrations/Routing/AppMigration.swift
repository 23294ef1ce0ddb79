import StoreFormat
package import StoreModel

/// What goes wrong in an app's own migration between two models, as Core Data infers it.
///
/// Core Data follows equal names and renaming identifiers; it drops, creates or refuses everything
/// else. A custom stage of SwiftData carries the same data, unless the app's code in it carries
/// more.
package struct AppMigration: Hashable, Sendable {
  /// One thing that goes wrong, with entities and properties by their names in the older model.
  package enum Effect: Hashable, Sendable {
    /// The entity is dropped, with its rows and the links to them.
    case entityDropped(String)

    /// The property is dropped, with its values.
    case valuesDropped(PropertyPath)

    /// The entity gets mandatory attributes that have no default.
    case newMandatory(entity: String, attributes: [String])

    /// The attribute becomes mandatory and has no default.
    case nowMandatory(PropertyPath)

    /// The property's values would need another form of storage.
    case typeChanged(PropertyPath, from: String, to: String)

    /// A to-many relationship becomes to-one.
    case manyToOne(PropertyPath)
  }

  /// What goes wrong, by entity in the order of the older model.
  package let effects: [Effect]

  package init(from old: Model, to new: Model) {
    let origins = new.origins(in: old)
    let moved = MovedAttributes(from: old, to: new, origins: origins)
    let successors = Dictionary(
      origins.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    effects = old.entities.flatMap { entity -> [Effect] in
      guard let successor = successors[entity.name].flatMap({ new[$0] }) else {
        return [.entityDropped(entity.name)]
      }
      let pair = EntityPair(
        old: entity, new: successor, inherited: new.properties(of: successor.name), moved: moved)
      return pair.effects
    }
  }
}

/// An entity in two models.
private struct EntityPair {
  let old: Entity
  let new: Entity

  /// What the new entity declares and inherits.
  let inherited: [Property]
  let moved: MovedAttributes

  var effects: [AppMigration.Effect] {
    let origins = new.origins(in: old)
    let former = Dictionary(old.properties.map { ($0.name, $0) }) { first, _ in first }
    let pairs = new.properties.filter(\.isStored).map { property in
      (new: property, old: origins[property.name].flatMap { former[$0] })
    }
    // A property that moved in its hierarchy keeps its values.
    let kept = Set(origins.values).union(inherited.filter(\.isStored).map(\.name))
    let dropped = old.properties.filter {
      $0.isStored && !kept.contains($0.name) && !isMoved($0.name)
    }
    let mandatory = pairs.filter {
      $0.old == nil && !isMoved($0.new.name) && isLacking($0.new)
    }.map(\.new.name)
    return (mandatory.isEmpty ? [] : [.newMandatory(entity: old.name, attributes: mandatory)])
      + pairs.flatMap { pair in pair.old.map { changes(from: $0, to: pair.new) } ?? [] }
      + dropped.map { .valuesDropped(path($0)) }
  }

  /// Returns whether existing rows have neither a value nor a default for a new property.
  private func isLacking(_ property: Property) -> Bool {
    guard case .attribute(let attribute) = property else { return false }
    return attribute.isLackingDefault
  }

  /// Returns whether a property moved in its hierarchy and keeps its values in all rows.
  private func isMoved(_ name: String) -> Bool {
    let path = PropertyPath(entity: new.name, property: name)
    return moved.paths.contains(path) && !moved.losing.contains(path)
  }

  private func changes(from before: Property, to after: Property) -> [AppMigration.Effect] {
    guard case .attribute(let from) = before, case .attribute(let to) = after,
      let leaves = from.leafChanges(to: to)
    else { return [change(from: before, to: after)].compactMap(\.self) }
    let mandatory = leaves.added.filter { !to.canStart(with: $0.attribute) }
    return
      (mandatory.isEmpty
      ? [] : [.newMandatory(entity: old.name, attributes: mandatory.map(\.cellName))])
      + leaves.dropped.map {
        .valuesDropped(PropertyPath(entity: old.name, property: $0.cellName))
      }
  }

  private func change(from before: Property, to after: Property) -> AppMigration.Effect? {
    switch (before, after) {
    case (.attribute(let from), .attribute(let to)):
      if !from.isCarried(to: to) {
        return .typeChanged(path(before), from: before.kind, to: after.kind)
      }
      return from.isOptional && to.isLackingDefault ? .nowMandatory(path(before)) : nil
    case (.relationship(let from), .relationship(let to)):
      return from.isToMany && !to.isToMany ? .manyToOne(path(before)) : nil
    case (.fetched, _), (_, .fetched): return nil
    default: return .typeChanged(path(before), from: before.kind, to: after.kind)
    }
  }

  private func path(_ property: Property) -> PropertyPath {
    PropertyPath(entity: old.name, property: property.name)
  }
}

extension Attribute {
  /// Whether the attribute, or a leaf of it, is mandatory without
  /// default.
  fileprivate var isLackingDefault: Bool {
    !leaves.allSatisfy { isOptional || canStart(with: $0.attribute) }
  }
}
