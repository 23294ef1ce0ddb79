/// The way from one version of an app's model to the next, as a migration file states it.
///
/// `MigrationFiles.md` is the specification of the files.
public struct Migration: Hashable, Sendable {
  /// The app, as its schema files name it.
  public let app: String

  /// The version that a store must be at.
  public let from: String

  /// The version that it is at afterwards.
  public let to: String

  /// Why the migration exists, for people.
  public let note: String?

  /// The changes, in the order in which they apply.
  public let steps: [Step]

  /// The SHA-256 of the file, in hexadecimal digits; empty for a migration that was inferred.
  public let checksum: String

  public init(
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
  public var name: String { "\(from)-\(to)" }
}
