/// An event of a migration, for the analytics of an app.
///
/// Its name and the keys of its properties are those of the apps' migration guide. No property is a
/// value of a row.
public enum SchemaMigrationEvent: Hashable, Sendable {
  /// The end of a migration.
  public struct Completion: Hashable, Sendable {
    /// The app and the versions before and after; `nil` if they aren't known.
    ///
    /// The versions are equal if there was nothing to do.
    public let app: String?
    public let from: String?
    public let to: String?

    /// The number of rows that were written.
    public let rows: Int64

    /// The time that it took, also if it failed.
    public let duration: Duration

    /// Whether the store is at the target, proven.
    public let isSuccess: Bool
  }

  /// A migration is about to begin, or to find that there is nothing to do.
  case started(app: String?, from: String?, to: String?)

  /// A migration has ended.
  case completed(Completion)

  /// The name: `schema_migration_started` or `schema_migration_completed`.
  public var name: String {
    switch self {
    case .started: "schema_migration_started"
    case .completed: "schema_migration_completed"
    }
  }

  /// The properties: strings, whole numbers (`Int64`) and Booleans by key; unknown ones are missing.
  public var properties: [String: any Sendable] {
    switch self {
    case .started(let app, let from, let to):
      return ["app": app, "from_version": from, "to_version": to].compactMapValues(\.self)
    case .completed(let end):
      var properties: [String: any Sendable] = [
        "app": end.app, "from_version": end.from, "to_version": end.to,
      ].compactMapValues(\.self)
      properties["rows_written"] = end.rows
      properties["duration_ms"] = end.duration.wholeMilliseconds
      properties["success"] = end.isSuccess
      return properties
    }
  }
}

extension Duration {
  /// The whole number of milliseconds, rounded down.
  package var wholeMilliseconds: Int64 {
    components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
  }
}
