package import StoreModel

/// What a user asks for: the target and how to get there.
public struct MigrationRequest: Hashable, Sendable {
  /// How the rows of the outbox are written.
  public enum Rows: String, CaseIterable, Hashable, Sendable {
    /// As the migration plan documents them.
    case documented

    /// In the form that the app sends; what it can't send is kept out.
    case deliverable
  }

  /// The target version; none for the newest.
  public var target: String?

  /// The target's schema, where the user gave a schema file instead of a version's name.
  package var schema: SchemaFile?

  /// The owner of rows that name none, as the user typed it.
  public var userID: String?

  /// How the rows of the outbox are written.
  public var rows: Rows

  /// The steps whose losses the user accepts; `all` for every one.
  public var acceptedLosses: [String]

  public init(
    target: String? = nil, userID: String? = nil, rows: Rows = .documented,
    acceptedLosses: [String] = []
  ) {
    self.init(
      target: target, schema: nil, userID: userID, rows: rows, acceptedLosses: acceptedLosses)
  }

  package init(
    target: String? = nil, schema: SchemaFile?, userID: String? = nil, rows: Rows = .documented,
    acceptedLosses: [String] = []
  ) {
    self.target = target
    self.schema = schema
    self.userID = userID
    self.rows = rows
    self.acceptedLosses = acceptedLosses
  }
}
