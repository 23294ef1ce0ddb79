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

  /// The attributes with a default that is computed when the app runs, as `Entity.property`.
  package let computedDefaults: Set<String>

  /// Whether the model is known.
  package var isKnown: Bool { !findings.contains { $0.severity == .error } }
}

/// Makes a model of the classes that a version lists.
struct ModelBuilding {
  private let table: TypeTable
  private var classes: [ModelClass] = []
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
      for index in from.links.map(\.destination) + [from.superclass].compactMap(\.self)
      where !classes.contains(where: { $0.type.name == table.types[index].name }) {
        add(index)
        let name = table.types[index].name
        findings.append(
          SourceFinding(
            .note, .related, at: from.type.place, name,
            "'\(name)' isn't listed; it is part of the model because '\(from.type.name)' leads to it"
          ))
      }
    }
  }

  private mutating func add(_ index: SourceType.Index) {
    let type = table.types[index]
    if let other = classes.first(where: { $0.type.name == type.name }) {
      guard other.index != index else { return }
      findings.append(
        SourceFinding(
          .error, .ambiguousType, at: type.place, type.name,
          "two classes of the model are named '\(type.name)', the other one at \(other.type.place)"
        ))
      return
    }
    classes.append(ModelClass(index, in: table))
  }

  /// Returns the model.
  func model(identifier: String) -> SourceModel {
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
        entities: entities, versionIdentifiers: [identifier],
        configurations: ["default": entities.map(\.name)]),
      findings: Array(Set(findings)).sorted { ($0.place, $0.message) < ($1.place, $1.message) },
      places: places,
      computedDefaults: Set(
        classes.flatMap { model in model.computedDefaults.map { "\(model.type.name).\($0)" } }))
  }
}

/// The inverses of a model's relationships.
///
/// Where neither side writes `@Relationship` without `inverse:`, and each side has one candidate,
/// SwiftData infers the inverse.
private struct InverseSearch {
  private struct Key: Hashable {
    let entity: String
    let name: String
  }

  private var inverses: [Key: String] = [:]
  private(set) var findings: [SourceFinding] = []

  init(_ classes: [ModelClass]) {
    for model in classes {
      for link in model.links { addWritten(link, of: model, among: classes) }
    }
    for model in classes {
      for link in model.links { infer(link, of: model, among: classes) }
    }
  }

  subscript(entity: String, name: String) -> String? {
    inverses[Key(entity: entity, name: name)]
  }

  private mutating func addWritten(
    _ link: ModelLink, of model: ModelClass, among classes: [ModelClass]
  ) {
    guard let inverse = link.inverse else { return }
    let relationship = link.relationship
    let destination = classes.first { $0.type.name == relationship.destinationName }
    guard destination?.links.contains(where: { $0.relationship.name == inverse }) == true else {
      findings.append(
        SourceFinding(
          .error, .unknownValue, at: link.place, "\(model.type.name).\(relationship.name)",
          "'\(relationship.destinationName)' has no relationship '\(inverse)', which "
            + "'\(relationship.name)' names as its inverse"))
      return
    }
    inverses[Key(entity: model.type.name, name: relationship.name)] = inverse
    inverses[Key(entity: relationship.destinationName, name: inverse)] = relationship.name
  }

  private mutating func infer(
    _ link: ModelLink, of model: ModelClass, among classes: [ModelClass]
  ) {
    let (name, destination) = (model.type.name, link.relationship.destinationName)
    guard self[name, link.relationship.name] == nil,
      let other = classes.first(where: { $0.type.name == destination })
    else { return }
    func open(_ one: ModelClass, to target: String) -> [ModelLink] {
      one.links.filter {
        $0.relationship.destinationName == target
          && self[one.type.name, $0.relationship.name] == nil
      }
    }
    if name == destination {
      guard !link.hasMacro else { return }
      findings.append(
        SourceFinding(
          .unproven, .unproven, at: link.place, "\(name).\(link.relationship.name)",
          "no real store has confirmed whether a relationship to its own class gets an inverse"))
      return
    }
    let (own, back) = (open(model, to: destination), open(other, to: name))
    guard own.count == 1, back.count == 1, !own[0].hasMacro, !back[0].hasMacro else { return }
    inverses[Key(entity: name, name: own[0].relationship.name)] = back[0].relationship.name
    inverses[Key(entity: destination, name: back[0].relationship.name)] = own[0].relationship.name
  }
}
