/// Something that `lint` found in migration files, or in what an app would do to a store.
package struct LintFinding: Hashable, Sendable {
  /// The severity of a finding.
  package enum Severity: String, CaseIterable, Hashable, Sendable {
    /// A mistake to correct, or data that the app would lose.
    case error

    /// Something to know, which isn't a mistake.
    case note
  }

  /// The severity.
  package let severity: Severity

  /// The rule that led to the finding.
  package let rule: LintRule

  /// The file, with line and column if they are known: `V6-V7.json:3:5`.
  package let place: String?

  /// The migration, as `V6-V7`.
  package let migration: String?

  /// The entity, property or version.
  package let object: String?

  /// The number of the store's rows or values that it concerns; `nil` for findings in files.
  package let rows: Int64?

  /// What was found, and what follows from it.
  package let message: String

  /// What this tool does instead of the app's migration; `nil` for findings in files.
  package let remedy: String?

  init(
    _ severity: Severity, _ rule: LintRule, place: String? = nil, migration: String? = nil,
    object: String? = nil, rows: Int64? = nil, _ message: String, remedy: String? = nil
  ) {
    self.severity = severity
    self.rule = rule
    self.place = place
    self.migration = migration
    self.object = object
    self.rows = rows
    self.message = message
    self.remedy = remedy
  }
}

extension LintFinding {
  /// Returns the finding with another place.
  package func placed(at place: String) -> LintFinding {
    LintFinding(
      severity, rule, place: place, migration: migration, object: object, rows: rows, message,
      remedy: remedy)
  }

  /// Creates the finding for a feature that keeps the tool from migrating a store.
  static func unsupported(_ reason: String) -> LintFinding {
    LintFinding(
      .error, .unsupported,
      "\(reason): outbox-migrate can't migrate the store, only the app can")
  }
}

/// The rules of `lint`; the raw values are stable codes for scripts.
package enum LintRule: String, CaseIterable, Hashable, Sendable {
  // In files.

  /// A file doesn't conform to `MigrationFiles.md`.
  case badFile = "bad-file"

  /// Two files define the same version or migration.
  case duplicate

  /// A migration names a version that has no schema file.
  case unknownVersion = "unknown-version"

  /// The steps of a migration don't lead from its source's model to its target's.
  case doesNotLead = "does-not-lead"

  /// The inverse of a migration doesn't lead back to its source's model.
  case noWayBack = "no-way-back"

  /// Some steps of a migration have no inverse.
  case oneWay = "one-way"

  /// No migrations lead from a version to the newest.
  case unreachable

  /// Two versions have the same model and identifiers, so their stores can't be distinguished.
  case ambiguous

  /// A file doesn't match its checksum.
  case edited

  /// A file that has a checksum is missing.
  case missing

  /// A file has no checksum.
  case unlisted

  /// A line of the checksums can't be read.
  case badChecksum = "bad-checksum"

  // In what an app would do to a store.

  /// The tool can't migrate the store in the app's place.
  case unsupported

  /// An entity is dropped with its rows.
  case entityDropped = "entity-dropped"

  /// A property is dropped with its values.
  case valuesDropped = "values-dropped"

  /// Mandatory attributes get no value.
  case mandatoryWithoutDefault = "mandatory-without-default"

  /// A property changes its type.
  case typeChanged = "type-changed"

  /// A to-many relationship becomes to-one.
  case manyToOne = "many-to-one"

  // In what CloudKit allows; the first six are those of `CloudKitRule`.

  case cloudKitUnique = "cloudkit-unique"
  case cloudKitNoInverse = "cloudkit-no-inverse"
  case cloudKitMandatory = "cloudkit-mandatory"
  case cloudKitMandatoryLink = "cloudkit-mandatory-relationship"
  case cloudKitDeny = "cloudkit-deny"
  case cloudKitOrdered = "cloudkit-ordered"

  /// A record type or field in the cloud is renamed.
  case cloudKitRenamed = "cloudkit-renamed"

  /// A record type or field in the cloud is removed.
  case cloudKitRemoved = "cloudkit-removed"

  /// A field in the cloud gets another type.
  case cloudKitTypeChanged = "cloudkit-type-changed"

  /// The store mirrors to CloudKit.
  case mirrored = "cloudkit"
}
