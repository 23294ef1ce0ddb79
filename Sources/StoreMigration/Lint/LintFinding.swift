import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Something that lint found in migration files, or in what an app would do to a store.
package struct LintFinding: Hashable, Sendable {
  /// How bad it is.
  package enum Severity: String, CaseIterable, Hashable, Sendable {
    /// Something to mend, or data that the app would lose.
    case error

    /// Something to know.
    case note
  }

  /// How bad it is.
  package let severity: Severity

  /// What was looked for.
  package let rule: LintRule

  /// The file, with line and column where they are known: `V6-V7.json:3:5`.
  package let place: String?

  /// The migration, as `V6-V7`.
  package let migration: String?

  /// The entity, property or version.
  package let object: String?

  /// How many rows or values of the store it is about.
  package let rows: Int64?

  /// What is so, and what follows from it.
  package let message: String

  /// What this tool does instead, where the app is at fault.
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

/// What lint looks for; the raw values are stable codes for scripts.
package enum LintRule: String, CaseIterable, Hashable, Sendable {
  // In files.

  /// A file isn't as `MigrationFiles.md` says.
  case badFile = "bad-file"

  /// Two files are about the same version or migration.
  case duplicate

  /// A migration names a version that has no schema file.
  case unknownVersion = "unknown-version"

  /// The steps of a migration don't lead from the one model to the other.
  case doesNotLead = "does-not-lead"

  /// The inverse of a migration doesn't lead back.
  case noWayBack = "no-way-back"

  /// Some steps of a migration have no inverse.
  case oneWay = "one-way"

  /// A version can't get to the newest.
  case unreachable

  /// Two versions have the same model and identifiers, so that no store tells which it is at.
  case ambiguous

  /// A file isn't what its checksum says.
  case edited

  /// A file that has a checksum isn't there.
  case missing

  /// A file has no checksum.
  case unlisted

  /// A line of the checksums can't be read.
  case badChecksum = "bad-checksum"

  // In what an app would do to a store.

  /// An entity goes with its rows.
  case entityDropped = "entity-dropped"

  /// A property goes with its values.
  case valuesDropped = "values-dropped"

  /// Mandatory attributes get no value.
  case mandatoryWithoutDefault = "mandatory-without-default"

  /// A property changes its type.
  case typeChanged = "type-changed"

  /// A to-many relationship becomes to-one.
  case manyToOne = "many-to-one"
}
