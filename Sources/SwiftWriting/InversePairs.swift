import StoreModel

/// Which relationships name their inverse: one of each pair.
///
/// Macros that name each other don't compile, and a macro on neither side would leave the pair to
/// SwiftData's inference.
struct InversePairs {
  /// The relationships that name their inverse, as `Entity.relationship`.
  private let naming: Set<String>

  init(_ model: Model) {
    var naming: Set<String> = []
    for entity in model.entities {
      for relationship in entity.relationships {
        guard let name = relationship.inverseName,
          let other = model.relationship(named: name, of: relationship.destinationName)
        else { continue }
        let own = (relationship.rank, "\(entity.name).\(relationship.name)")
        let others = (other.relationship.rank, "\(other.entity).\(name)")
        if own < others { naming.insert(own.1) }
      }
    }
    self.naming = naming
  }

  /// Returns whether a relationship's macro names the inverse.
  func names(_ relationship: Relationship, of entity: Entity) -> Bool {
    naming.contains("\(entity.name).\(relationship.name)")
  }
}

extension Relationship {
  /// The order in a pair: the first is the one that needs a macro for other reasons, or is to-many.
  fileprivate var rank: Int { (arguments.isEmpty ? 2 : 0) + (isToMany ? 0 : 1) }

  /// The arguments of the macro.
  var arguments: [String] { arguments(inverse: nil) }

  /// Returns the arguments of the macro in their order, with the inverse as a key path.
  func arguments(inverse: String?) -> [String] {
    var arguments: [String] = []
    if deleteRule != .nullify { arguments.append("deleteRule: .\(deleteRule)") }
    if minCount != 0 { arguments.append("minimumModelCount: \(minCount)") }
    if isToMany && maxCount != 0 { arguments.append("maximumModelCount: \(maxCount)") }
    if let renamingIdentifier {
      arguments.append("originalName: \(renamingIdentifier.swiftLiteral)")
    }
    if let inverse { arguments.append("inverse: \(inverse)") }
    if let versionHashModifier {
      arguments.append("hashModifier: \(versionHashModifier.swiftLiteral)")
    }
    return arguments
  }
}
