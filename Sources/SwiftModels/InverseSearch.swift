import StoreModel

/// The inverses of a model's relationships.
///
/// Where neither side writes `@Relationship` without `inverse:`, and each side has one candidate,
/// SwiftData infers the inverse.
struct InverseSearch {
  private struct Key: Hashable, CustomStringConvertible {
    let entity: String
    let name: String

    var description: String { "\(entity).\(name)" }
  }

  private var inverses: [Key: Key] = [:]
  private(set) var findings: [SourceFinding] = []

  /// Searches the inverses among classes whose names differ.
  init(_ classes: [ModelClass]) {
    let named = Dictionary(
      classes.map { ($0.type.name, $0) }, uniquingKeysWith: { first, _ in first })
    for model in classes {
      for link in model.links { addWritten(link, of: model, among: named) }
    }
    for model in classes {
      for link in model.links { infer(link, of: model, among: named) }
    }
  }

  subscript(entity: String, name: String) -> String? {
    inverses[Key(entity: entity, name: name)]?.name
  }

  private mutating func addWritten(
    _ link: ModelLink, of model: ModelClass, among classes: [String: ModelClass]
  ) {
    guard let inverse = link.inverse else { return }
    let relationship = link.relationship
    let destination = classes[relationship.destinationName]
    guard destination?.links.contains(where: { $0.relationship.name == inverse }) == true else {
      findings.append(
        SourceFinding(
          .error, .unknownValue, at: link.place, "\(model.type.name).\(relationship.name)",
          "'\(relationship.destinationName)' has no relationship '\(inverse)', which "
            + "'\(relationship.name)' names as its inverse"))
      return
    }
    let own = Key(entity: model.type.name, name: relationship.name)
    let other = Key(entity: relationship.destinationName, name: inverse)
    for (one, partner) in [(own, other), (other, own)] {
      guard let earlier = inverses[one], earlier != partner else { continue }
      findings.append(
        SourceFinding(
          .error, .unknownValue, at: link.place, "\(own)",
          "'\(one)' has two inverses, '\(earlier)' and '\(partner)'"))
      return
    }
    inverses[own] = other
    inverses[other] = own
  }

  private mutating func infer(
    _ link: ModelLink, of model: ModelClass, among classes: [String: ModelClass]
  ) {
    let (name, destination) = (model.type.name, link.relationship.destinationName)
    guard self[name, link.relationship.name] == nil,
      let other = classes[destination]
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
    let one = Key(entity: name, name: own[0].relationship.name)
    let two = Key(entity: destination, name: back[0].relationship.name)
    inverses[one] = two
    inverses[two] = one
  }
}
