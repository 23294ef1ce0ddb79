package import JSONText

extension SchemaMigrationEvent {
  /// The members of a line of JSON, with `null` for what isn't known.
  package var members: [JSONValue.Member] {
    switch self {
    case .started(let app, let from, let to):
      [.init("event", .string(name))] + Self.versions(app, from, to)
    case .completed(let end):
      [.init("event", .string(name))] + Self.versions(end.app, end.from, end.to) + [
        .init("rows_written", .int(end.rows)),
        .init("duration_ms", .int(end.duration.wholeMilliseconds)),
        .init("success", .bool(end.isSuccess)),
      ]
    }
  }

  private static func versions(
    _ app: String?, _ from: String?, _ to: String?
  ) -> [JSONValue.Member] {
    [
      .init("app", JSONValue(app)), .init("from_version", JSONValue(from)),
      .init("to_version", JSONValue(to)),
    ]
  }
}
