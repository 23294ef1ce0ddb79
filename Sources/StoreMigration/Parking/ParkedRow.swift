import OutboxConversion
import JSONText
import SQLite

/// Values of one row that have no place in the version that a store was rolled back to.
struct ParkedRow: Hashable {
  /// The entity's name in the version that the values belong to.
  let entity: String

  /// The row's primary key.
  let key: Int64

  /// Whether the whole row is parked, because it has no place.
  let isWhole: Bool

  /// The values by the names of their columns.
  let values: [ParkedValue]
}

/// One parked value.
struct ParkedValue: Hashable {
  /// The name of the value's column.
  let column: String

  /// The value.
  let value: Value

  /// What the old version's value in its place migrates to; `nil` if it has no place there.
  ///
  /// The parked value fits only if the row still migrates to this value.
  let standIn: Value?
}

extension ParkedRow {
  /// The row as a line of JSON, without a line break.
  var line: String {
    JSONValue.object([
      .init("entity", .string(entity)), .init("key", .int(key)), .init("whole", .bool(isWhole)),
      .init(
        "values",
        .object(
          values.map { parked in
            .init(
              parked.column,
              .object(
                [.init("value", parked.value.parkedJSON)]
                  + (parked.standIn.map { [.init("instead_of", $0.parkedJSON)] } ?? [])))
          })),
    ]).text()
  }

  init(parsing line: String, file: String?) throws(JSONError) {
    let object = try JSONNode(parsing: line, file: file)
      .object(allowing: ["entity", "key", "whole", "values"])
    entity = try object.required("entity").string
    key = try object.required("key").integer
    isWhole = try object.required("whole").bool
    var values: [ParkedValue] = []
    for member in try object.required("values").object.members {
      let parts = try member.node.object(allowing: ["value", "instead_of"])
      values.append(
        ParkedValue(
          column: member.key, value: try Value(parked: parts.required("value")),
          standIn: try parts.optional("instead_of").map { (node) throws(JSONError) in
            try Value(parked: node)
          }))
    }
    self.values = values
  }
}
