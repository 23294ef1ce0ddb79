package import SourceDeclarations
import StoreModel

/// Something that the tool found in Swift source, and its place.
package struct SourceFinding: Hashable, Sendable {
  /// The severity of a finding.
  package enum Severity: String, CaseIterable, Hashable, Sendable {
    /// The model can't be known, or `lint` found a mistake.
    case error

    /// The model follows a rule that no real store has confirmed.
    case unproven

    /// Something to know.
    case note
  }

  /// The severity.
  package let severity: Severity

  /// The rule that led to the finding.
  package let rule: SourceRule

  /// The place in the source.
  package let place: SwiftPlace

  /// The type, property or version.
  package let object: String?

  /// A sentence: lowercase, without a final period.
  package let message: String

  package init(
    _ severity: Severity, _ rule: SourceRule, at place: SwiftPlace, _ object: String?,
    _ message: String
  ) {
    self.severity = severity
    self.rule = rule
    self.place = place
    self.object = object
    self.message = message
  }
}

extension SourceFinding: CustomStringConvertible {
  /// The finding after its place: `Item.swift:3:5: …`.
  package var description: String { "\(place): \(message)" }
}

/// A place in a source file.
package struct SwiftPlace: Hashable, Sendable {
  /// The path of the file.
  package let file: String

  /// The position in the file.
  package let position: SwiftPosition

  package init(file: String, position: SwiftPosition) {
    self.file = file
    self.position = position
  }
}

extension SwiftPlace: CustomStringConvertible {
  package var description: String { "\(file):\(position.line):\(position.column)" }
}

extension SwiftPlace: Comparable {
  package static func < (one: SwiftPlace, other: SwiftPlace) -> Bool {
    (one.file, one.position.line, one.position.column)
      < (other.file, other.position.line, other.position.column)
  }
}

/// The rules of findings in Swift source; the raw values are stable codes for scripts.
package enum SourceRule: String, CaseIterable, Hashable, Sendable {
  // What decides whether a model can be known.

  /// A file has a syntax error.
  case syntax

  /// A type isn't declared in the source, or SwiftData's form of it isn't known.
  case unknownType = "unknown-type"

  /// A name is declared several times.
  case ambiguousType = "ambiguous-type"

  /// A macro or property wrapper, or an option of one, isn't known.
  case unknownMacro = "unknown-macro"

  /// An expression isn't a literal.
  case unknownValue = "unknown-value"

  /// A default value is computed when the app runs.
  case computedDefault = "computed-default"

  /// A conditional compilation decides about the model.
  case condition

  /// An entity is part of the model because a relationship leads to it.
  case related

  /// No real store has confirmed the rule for a declaration.
  case unproven

  // What `lint` finds.

  /// Two versions have the same version hashes.
  case sameChecksum = "same-checksum"

  /// Two versions have the same identifier.
  case sameIdentifier = "same-identifier"

  /// A version lists a class that isn't declared in a version.
  case liveClass = "live-class"

  /// A shipped store has another model than its version.
  case storeContradicts = "store-contradicts"

  /// A property's former name is that of another property.
  case originalName = "original-name"

  /// A version isn't in the migration plan.
  case versionNotInPlan = "version-not-in-plan"

  /// The versions of a migration plan aren't ordered by their identifiers.
  case planOrder = "plan-order"

  /// A migration plan has no stage between two versions.
  case missingStage = "missing-stage"

  /// A stage isn't between consecutive versions.
  case strayStage = "stray-stage"

  /// Mandatory properties get no value.
  case mandatoryWithoutDefault = "mandatory-without-default"

  /// A property changes its type.
  case typeChanged = "type-changed"

  /// A to-many relationship becomes to-one.
  case manyToOne = "many-to-one"

  case cloudKitUnique = "cloudkit-unique"
  case cloudKitNoInverse = "cloudkit-no-inverse"
  case cloudKitMandatory = "cloudkit-mandatory"
  case cloudKitMandatoryLink = "cloudkit-mandatory-relationship"
  case cloudKitDeny = "cloudkit-deny"
  case cloudKitOrdered = "cloudkit-ordered"

  /// Creates the rule for one of CloudKit's.
  init(_ rule: CloudKitRule) {
    self =
      switch rule {
      case .unique: .cloudKitUnique
      case .noInverse: .cloudKitNoInverse
      case .mandatory: .cloudKitMandatory
      case .mandatoryLink: .cloudKitMandatoryLink
      case .deny: .cloudKitDeny
      case .ordered: .cloudKitOrdered
      }
  }
}
