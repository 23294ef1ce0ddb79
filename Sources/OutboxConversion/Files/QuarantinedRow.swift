package import JSONText
package import SQLite

/// A row of an outbox in quarantine, with all its values.
package struct QuarantinedRow: Hashable {
  /// The row's primary key.
  package let key: Int64

  /// The reason why the row is in quarantine.
  package let reason: QuarantineReason

  /// The values with the names of their columns, in the order of the old table's query.
  let values: [ColumnValue]

  /// A value and its column.
  struct ColumnValue: Hashable {
    package let column: String
    package let value: Value
  }

  /// Returns the value of a column; `nil` if the row has no such column.
  package func value(of column: String) -> Value? { values.first { $0.column == column }?.value }
}

extension QuarantinedRow {
  /// The row as a line of JSON, without the line break.
  package var line: String {
    JSONValue.object([
      .init("key", .int(key)), .init("reason", .string(reason.rawValue)),
      .init("values", .object(values.map { .init($0.column, $0.value.parkedJSON) })),
    ]).text()
  }

  package init(parsing line: String) throws(JSONError) {
    let object = try JSONNode(parsing: line).object(allowing: ["key", "reason", "values"])
    key = try object.required("key").integer
    reason = try object.required("reason").name(as: QuarantineReason.self)
    values = try object.required("values").object.members.map { member throws(JSONError) in
      ColumnValue(column: member.key, value: try Value(parked: member.node))
    }
  }
}

/// The first line of a quarantine.
package struct QuarantineHeader: Hashable {
  package static let formatVersion: Int64 = 1

  package let app: String

  /// The version of the rows, and the version that the store was migrated to.
  package let from: String
  package let to: String

  /// The entity of the rows.
  package static let entity = "SDOutboxEvent"

  package var line: String {
    JSONValue.object([
      .init("format_version", .int(Self.formatVersion)), .init("app", .string(app)),
      .init("from", .string(from)), .init("to", .string(to)),
      .init("entity", .string(Self.entity)),
    ]).text()
  }

  package init(app: String, from: String, to: String) {
    self.app = app
    self.from = from
    self.to = to
  }

  package init(parsing line: String, file: String?) throws(JSONError) {
    let object = try JSONNode(parsing: line, file: file)
      .object(allowing: ["format_version", "app", "from", "to", "entity"])
    try object.checkFormatVersion(Self.formatVersion)
    app = try object.required("app").string
    from = try object.required("from").string
    to = try object.required("to").string
    _ = try object.required("entity").string
  }
}
