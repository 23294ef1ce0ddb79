import JSONText
import XMLText
import StoreModel

extension Property {
  /// What the property is in a table: the type of an attribute, or the kind of a relationship.
  fileprivate var kind: String {
    switch self {
    case .attribute(let attribute): attribute.type.name
    case .relationship(let relationship): relationship.isToMany ? "to-many" : "to-one"
    case .fetched: "a fetched property"
    }
  }
}

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
      let chain = model.chain(from: entity.name)
      guard chain.last.flatMap({ model[$0] })?.superentityName == nil
      else { throw error(element, "'\(entity.name)' inherits from itself; remove the cycle") }
      // The time for inherited properties is the product of both.
      guard chain.count <= 64 else {
        throw error(
          element, "'\(entity.name)' has \(chain.count - 1) super-entities; the limit is 63")
      }
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
    let inherited = entity.superentityName.map { model.properties(of: $0) } ?? []
    for property in entity.properties {
      let former = inherited.first { $0.name == property.name }
      guard let former, former.kind != property.kind,
        let child = element.children.first(where: { $0["name"] == property.name })
      else { continue }
      throw error(
        child,
        "'\(entity.name).\(property.name)' is \(property.kind), but \(former.kind) in a "
          + "super-entity; rename one")
    }
    for child in element.children where child.name == "relationship" {
      guard let name = child["name"], case .relationship(let relationship) = entity[name] else {
        continue
      }
      let destination = relationship.destinationName
      guard model[destination] != nil else {
        throw error(child, unknown("entity", destination, among: model.entities.map(\.name)))
      }
      checkInverse(of: relationship, of: entity.name, child, in: model)
    }
    try checkLists(entity, element, in: model)
  }

  /// Notes an inverse that doesn't exist, or that isn't the inverse of its inverse.
  private mutating func checkInverse(
    of relationship: Relationship, of entity: String, _ element: XMLElement, in model: Model
  ) {
    let (path, destination) = ("'\(entity).\(relationship.name)'", relationship.destinationName)
    func isRelated(_ one: String, _ other: String) -> Bool {
      model.inherits(one, from: other) || model.inherits(other, from: one)
    }
    if let named = element["inverseEntity"], !named.isEmpty, !isRelated(named, destination) {
      note(element, "'inverseEntity' of \(path) is '\(named)', but it leads to '\(destination)'")
    }
    guard let inverse = relationship.inverseName else { return }
    guard let found = model.relationship(named: inverse, of: destination)?.relationship else {
      note(element, "the inverse '\(destination).\(inverse)' of \(path) is missing")
      return
    }
    if found.inverseName == relationship.name, isRelated(entity, found.destinationName) { return }
    let other = found.inverseName.map { "the inverse '\(found.destinationName).\($0)'" }
    note(
      element,
      "the inverse '\(destination).\(inverse)' of \(path) has \(other ?? "no inverse") itself")
  }

  /// Returns the words about a name that the model doesn't have.
  func unknown(_ kind: String, _ name: String, among names: [String]) -> String {
    let nearest = nearestName(to: name, among: names)
    return "unknown \(kind) '\(name)'\(nearest.map { "; did you mean '\($0)'?" } ?? "")"
  }
}
