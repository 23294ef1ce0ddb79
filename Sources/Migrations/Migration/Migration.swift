package import JSONText
package import StoreModel

/// The steps from one version of an app's model to the next, as a migration file states them.
///
/// `MigrationFiles.md` specifies the format of the files.
package struct Migration: Hashable, Sendable {
  /// The app, as its schema files name it.
  package let app: String

  /// The version that a store must have.
  package let from: String

  /// The version that the store has afterwards.
  package let to: String

  /// The reason for the migration, for people.
  package let note: String?

  /// The values that formulas may name.
  package let constants: [String: ModelValue]

  /// The changes, in the order in which they apply.
  package let steps: [Step]

  /// The SHA-256 of the file in hexadecimal digits; empty if the migration isn't from a file.
  package let checksum: String

  /// The name of the version that a store must have, where the file states it.
  package let fromNode: JSONNode?

  package init(
    app: String, from: String, to: String, note: String? = nil,
    constants: [String: ModelValue] = [:], steps: [Step],
    checksum: String = "", fromNode: JSONNode? = nil
  ) {
    self.app = app
    self.from = from
    self.to = to
    self.note = note
    self.constants = constants
    self.steps = steps
    self.checksum = checksum
    self.fromNode = fromNode
  }

  /// The name by which plans and options refer to the migration, such as `V6-V7`.
  package var name: String { "\(from)-\(to)" }
}
