import JSONText
import Platform
import StoreModel

extension XMLModelReader {
  /// Checks that the names in a model are those of its entities and properties.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - elements: The elements of its entities, by name.
  /// - Throws: A ``ModelSourceError`` with the position of the first unknown name.
  mutating func check(
    _ model: Model, _ elements: [String: XMLElement]
  ) throws(ModelSourceError) {
    let names = model.entities.map(\.name)
    for entity in model.entities {
      guard let element = elements[entity.name] else { continue }
      if let parent = entity.superentityName, model[parent] == nil {
        throw error(element, unknown("entity", parent, among: names))
      }
      // Without a cycle, the chain ends at a root entity.
      guard model.chain(from: entity.name).last.flatMap({ model[$0] })?.superentityName == nil
      else { throw error(element, "'\(entity.name)' inherits from itself; remove the cycle") }
      try check(entity, element, in: model)
    }
    // Names that differ only in case would share a table, because SQLite ignores case.
    let clash = Dictionary(grouping: names) { $0.lowercased() }.values.first { $0.count > 1 }
    if let clash, let element = elements[clash[1]] {
      throw error(element, "'\(clash[0])' and '\(clash[1])' differ only in case; rename one")
    }
    for (name, members) in model.configurations.sorted(by: { $0.key < $1.key }) {
      guard let member = members.first(where: { model[$0] == nil }) else { continue }
      throw .malformed(
        SourcePlace(file),
        reason: "configuration '\(name)': " + unknown("entity", member, among: names))
    }
  }

  private mutating func check(
    _ entity: Entity, _ element: XMLElement, in model: Model
  ) throws(ModelSourceError) {
    for child in element.children where child.name == "relationship" {
      guard let name = child["name"], case .relationship(let relationship) = entity[name] else {
        continue
      }
      let destination = relationship.destinationName
      guard model[destination] != nil else {
        throw error(child, unknown("entity", destination, among: model.entities.map(\.name)))
      }
      guard let inverse = relationship.inverseName else { continue }
      if model.relationship(named: inverse, of: destination) == nil {
        note(
          child, "the inverse '\(destination).\(inverse)' of '\(entity.name).\(name)' is missing")
      }
    }
    let known = model.properties(of: entity.name).map(\.name)
    let listed = entity.uniquenessConstraints + entity.compoundIndexes
    let names = listed.flatMap(\.self) + entity.indexes.flatMap(\.elements).map(\.propertyName)
    if let name = names.first(where: { !known.contains($0.propertyName) }) {
      throw error(element, unknown("property", name, among: known))
    }
  }

  private func unknown(_ kind: String, _ name: String, among names: [String]) -> String {
    let nearest = nearestName(to: name, among: names)
    return "unknown \(kind) '\(name)'\(nearest.map { "; did you mean '\($0)'?" } ?? "")"
  }
}

extension String {
  /// The property in a key path, which names an element of a composite.
  fileprivate var propertyName: String { String(prefix { $0 != "." }) }
}
