/// The way from one version of an app's model to the next, as a migration file states it.
///
/// `MigrationFiles.md` is the specification of the files.
package struct Migration: Hashable, Sendable {
  /// The app, as its schema files name it.
  package let app: String

  /// The version that a store must be at.
  package let from: String

  /// The version that it is at afterwards.
  package let to: String

  /// Why the migration exists, for people.
  package let note: String?

  /// The changes, in the order in which they apply.
  package let steps: [Step]

  /// The SHA-256 of the file, in hexadecimal digits; empty for a migration that was inferred.
  package let checksum: String

  package init(
    app: String, from: String, to: String, note: String? = nil, steps: [Step],
    checksum: String = ""
  ) {
    self.app = app
    self.from = from
    self.to = to
    self.note = note
    self.steps = steps
    self.checksum = checksum
  }

  /// The name by which plans and options refer to the migration, such as `V6-V7`.
  package var name: String { "\(from)-\(to)" }
}
