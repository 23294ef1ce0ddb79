package import JSONText
import OutboxFormat
package import SQLite
import Migrations
import RowRewriting

/// A row that was kept out of an outbox, whole.
package struct QuarantinedRow: Hashable {
  /// The row's primary key.
  package let key: Int64

  /// Why it is kept out.
  package let reason: QuarantineReason

  /// Its values by the names of their columns, in the order of the old table's query.
  let values: [ColumnValue]

  /// A value and its column.
  struct ColumnValue: Hashable {
    package let column: String
    package let value: Value
  }

  /// The value of a column; none where the row has no such column.
  package func value(of column: String) -> Value? { values.first { $0.column == column }?.value }
}

extension QuarantinedRow {
  /// The row as a line of JSON, without the line's end.
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

/// What the first line of a quarantine says.
package struct QuarantineHeader: Hashable {
  package static let formatVersion: Int64 = 1

  package let app: String

  /// The version that the rows are of, and the one that the store was brought to.
  package let from: String
  package let to: String

  /// The entity that the rows are of.
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
