import SourceDeclarations
package import StoreModel

/// A model from Swift source, and what was found while reading it.
package struct SourceModel {
  /// The model; its hashes are right only if no finding is an error.
  package let model: Model

  /// The findings, in the order of the source.
  package let findings: [SourceFinding]

  /// The places of entities, and of properties as `Entity.property`.
  package let places: [String: SwiftPlace]

  /// The attributes with a default that isn't a literal, as `Entity.property`.
  package let computedDefaults: Set<String>

  /// Whether the model is known.
  package var isKnown: Bool { !findings.contains { $0.severity == .error } }
}

/// Makes a model of the classes that a version lists.
struct ModelBuilding {
  private let table: TypeTable
  private var classes: [ModelClass] = []

  /// The classes by name, as positions in ``classes``.
  private var positions: [String: Int] = [:]
  private var findings: [SourceFinding] = []

  /// - Parameters:
  ///   - listed: The classes of the version.
  ///   - table: The types of the source.
  init(_ listed: [SourceType.Index], in table: TypeTable) {
    self.table = table
    for index in listed { add(index) }
    // A schema holds what its classes' relationships lead to, and what they inherit from.
    var next = 0
    while next < classes.count {
      let from = classes[next]
      next += 1
      for index in from.links.map(\.destination) + [from.superclass].compactMap(\.self) {
        let name = table.types[index].name
        if let position = positions[name] {
          noteOther(index, than: classes[position], from: from)
          continue
        }
        add(index)
        findings.append(
          SourceFinding(
            .note, .related, at: from.type.place, name,
            "'\(name)' isn't listed; it is part of the model because '\(from.type.name)' leads to it"
          ))
      }
    }
  }

  /// Notes that the model has another class than the one that a class leads to.
  ///
  /// Entities have no other names than those of classes: a version that takes a class from an older
  /// one, whose relationships lead to older classes, has the classes that it lists.
  private mutating func noteOther(
    _ index: SourceType.Index, than listed: ModelClass, from model: ModelClass
  ) {
    guard listed.index != index else { return }
    findings.append(
      SourceFinding(
        .note, .related, at: model.type.place, model.type.name,
        "'\(model.type.qualifiedName)' leads to '\(table.types[index].qualifiedName)'; the model "
          + "has '\(listed.type.qualifiedName)' in its place"))
  }

  private mutating func add(_ index: SourceType.Index) {
    let type = table.types[index]
    if let other = positions[type.name].map({ classes[$0] }) {
      guard other.index != index else { return }
      findings.append(
        SourceFinding(
          .error, .ambiguousType, at: type.place, type.name,
          "two classes of the model are named '\(type.name)', the other one at \(other.type.place)"
        ))
      return
    }
    positions[type.name] = classes.count
    classes.append(ModelClass(index, in: table))
  }

  /// Returns the model.
  func model(identifiers: [String]) -> SourceModel {
    var findings = findings + classes.flatMap(\.findings)
    let inverses = InverseSearch(classes)
    findings += inverses.findings
    let entities = classes.map { model in
      let links = model.links.map { link in
        var relationship = link.relationship
        relationship.inverseName = inverses[model.type.name, relationship.name]
        return Property.relationship(relationship)
      }
      let indexed = Set(model.indexes.flatMap { $0.elements.map(\.propertyName) })
      let attributes = model.attributes.map { attribute in
        var attribute = attribute
        attribute.isIndexed = indexed.contains(attribute.name)
        return Property.attribute(attribute)
      }
      return Entity(
        name: model.type.name, superentityName: model.superclass.map { table.types[$0].name },
        properties: attributes + links, uniquenessConstraints: model.uniquenessConstraints,
        indexes: model.indexes,
        compoundIndexes: model.indexes.map { $0.elements.map(\.propertyName) }
          .filter { $0.count > 1 })
    }
    var places: [String: SwiftPlace] = [:]
    for model in classes {
      places[model.type.name] = model.type.place
      for (name, place) in model.places { places["\(model.type.name).\(name)"] = place }
    }
    return SourceModel(
      model: Model(
        entities: entities, versionIdentifiers: identifiers,
        configurations: ["default": entities.map(\.name)]),
      findings: Array(Set(findings)).sorted { ($0.place, $0.message) < ($1.place, $1.message) },
      places: places,
      computedDefaults: Set(
        classes.flatMap { model in model.computedDefaults.map { "\(model.type.name).\($0)" } }))
  }
}
