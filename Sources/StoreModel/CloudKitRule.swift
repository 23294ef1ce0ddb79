/// What CloudKit doesn't allow in a model, by Apple's documentation.
///
/// Raw values are stable codes for scripts. See `StoreFormat.md` §8.1.
package enum CloudKitRule: String, CaseIterable, Hashable, Sendable {
  /// An entity has a uniqueness constraint.
  case unique = "cloudkit-unique"

  /// A relationship has no inverse.
  case noInverse = "cloudkit-no-inverse"

  /// A mandatory attribute has no default.
  case mandatory = "cloudkit-mandatory"

  /// A relationship is mandatory.
  case mandatoryLink = "cloudkit-mandatory-relationship"

  /// A relationship denies that its source is deleted.
  case deny = "cloudkit-deny"

  /// A relationship is ordered.
  case ordered = "cloudkit-ordered"

  /// What follows from breaking the rule.
  package var consequence: String { "\(requirement): the app can't open a store that mirrors" }

  private var requirement: String {
    switch self {
    case .unique: "CloudKit has no unique constraints"
    case .noInverse: "CloudKit needs an inverse for every relationship"
    case .mandatory: "CloudKit needs every attribute to be optional or to have a default"
    case .mandatoryLink: "CloudKit needs every relationship to be optional"
    case .deny: "CloudKit has no deny rule"
    case .ordered: "CloudKit has no ordered relationships"
    }
  }
}

/// A place in a model that CloudKit doesn't allow.
package struct CloudKitViolation: Hashable, Sendable {
  /// The rule.
  package let rule: CloudKitRule

  /// The property or constraint, as `Entity.property` or `Entity.property+property`.
  package let object: String
}

extension Model {
  /// The places that CloudKit doesn't allow, in the order of the rules.
  package var cloudKitViolations: [CloudKitViolation] {
    CloudKitRule.allCases.flatMap { rule in
      entities.flatMap { entity in
        entity.breaches(of: rule).map {
          CloudKitViolation(rule: rule, object: "\(entity.name).\($0)")
        }
      }
    }
  }
}

extension Entity {
  /// Returns the names of the entity's properties and constraints that break a rule.
  fileprivate func breaches(of rule: CloudKitRule) -> [String] {
    func links(_ isBreach: (Relationship) -> Bool) -> [String] {
      relationships.filter { !$0.isTransient && isBreach($0) }.map(\.name)
    }
    return switch rule {
    case .unique: uniquenessConstraints.map { $0.joined(separator: "+") }
    case .noInverse: links { $0.inverseName == nil }
    case .mandatory:
      attributes.filter { !$0.isTransient && !$0.isOptional && !$0.hasDefault }.map(\.name)
    case .mandatoryLink: links { !$0.isOptional }
    case .deny: links { $0.deleteRule == .deny }
    case .ordered: links(\.isOrdered)
    }
  }
}

extension Attribute {
  /// Whether new rows get a value without the app's help.
  fileprivate var hasDefault: Bool { defaultValue.map { $0 != .null } ?? false }
}
