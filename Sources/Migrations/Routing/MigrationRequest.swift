package import StoreModel

/// What the user asks for: the target, and the options of the migration.
public struct MigrationRequest: Hashable, Sendable {
  /// The form in which the rows of the outbox are written.
  public enum Rows: String, CaseIterable, Hashable, Sendable {
    /// The form that the migration document describes.
    case documented

    /// The form that the app sends; rows that it can't send are kept out of the store.
    case deliverable
  }

  /// How a store that mirrors to CloudKit is migrated.
  public enum Mirroring: String, CaseIterable, Hashable, Sendable {
    /// What the store records about the cloud follows the entities.
    case carry
  }

  /// What the new store's file begins as.
  package enum FileOrigin: String, CaseIterable, Hashable, Sendable {
    /// An empty file, into which every row is written.
    case new

    /// A copy of the old file, in which only the tables that change are written.
    case copy
  }

  /// The name of the target version; `nil` for the newest version.
  public var target: String?

  /// The target's schema, if the user gave a schema file instead of a version's name.
  package var schema: SchemaFile?

  /// The paths of further models that ``schema`` unites with that of ``target``.
  package var unitedTargets: [String] = []

  /// The owner of rows that don't name one, as the user typed it.
  public var userID: String?

  /// The form in which the rows of the outbox are written.
  public var rows: Rows

  /// The steps whose losses the user accepts; `all` accepts every loss.
  public var acceptedLosses: [String]

  /// How a store that mirrors to CloudKit is migrated; `nil` to refuse such a store.
  public var mirroring: Mirroring?

  /// What the new store's file begins as; `nil` to choose by how much changes.
  ///
  /// A store that can't be changed in a copy is written into an empty file whatever this says.
  package var fileOrigin: FileOrigin?

  public init(
    target: String? = nil, userID: String? = nil, rows: Rows = .documented,
    acceptedLosses: [String] = [], mirroring: Mirroring? = nil
  ) {
    self.init(
      target: target, schema: nil, userID: userID, rows: rows, acceptedLosses: acceptedLosses,
      mirroring: mirroring)
  }

  package init(
    target: String? = nil, schema: SchemaFile?, userID: String? = nil, rows: Rows = .documented,
    acceptedLosses: [String] = [], mirroring: Mirroring? = nil
  ) {
    self.target = target
    self.schema = schema
    self.userID = userID
    self.rows = rows
    self.acceptedLosses = acceptedLosses
    self.mirroring = mirroring
  }
}
