import JSONText
import OutboxFormat
import SQLite
import Migrations
import RowRewriting

/// A row that was kept out of an outbox, whole.
struct QuarantinedRow: Hashable {
  /// The row's primary key.
  let key: Int64

  /// Why it is kept out.
  let reason: QuarantineReason

  /// Its values by the names of their columns, in the order of the old table's query.
  let values: [ColumnValue]

  /// A value and its column.
  struct ColumnValue: Hashable {
    let column: String
    let value: Value
  }

  /// The value of a column; none where the row has no such column.
  func value(of column: String) -> Value? { values.first { $0.column == column }?.value }
}

extension QuarantinedRow {
  /// The row as a line of JSON, without the line's end.
  var line: String {
    JSONValue.object([
      .init("key", .int(key)), .init("reason", .string(reason.rawValue)),
      .init("values", .object(values.map { .init($0.column, $0.value.parkedJSON) })),
    ]).text()
  }

  init(parsing line: String) throws(JSONError) {
    let object = try JSONNode(parsing: line).object(allowing: ["key", "reason", "values"])
    key = try object.required("key").integer
    reason = try object.required("reason").name(as: QuarantineReason.self)
    values = try object.required("values").object.members.map { member throws(JSONError) in
      ColumnValue(column: member.key, value: try Value(parked: member.node))
    }
  }
}

/// What the first line of a quarantine says.
struct QuarantineHeader: Hashable {
  static let formatVersion: Int64 = 1

  let app: String

  /// The version that the rows are of, and the one that the store was brought to.
  let from: String
  let to: String

  /// The entity that the rows are of.
  static let entity = "SDOutboxEvent"

  var line: String {
    JSONValue.object([
      .init("format_version", .int(Self.formatVersion)), .init("app", .string(app)),
      .init("from", .string(from)), .init("to", .string(to)),
      .init("entity", .string(Self.entity)),
    ]).text()
  }

  init(app: String, from: String, to: String) {
    self.app = app
    self.from = from
    self.to = to
  }

  init(parsing line: String, file: String?) throws(JSONError) {
    let object = try JSONNode(parsing: line, file: file)
      .object(allowing: ["format_version", "app", "from", "to", "entity"])
    try object.checkFormatVersion(Self.formatVersion)
    app = try object.required("app").string
    from = try object.required("from").string
    to = try object.required("to").string
    _ = try object.required("entity").string
  }
}
