import JSONText
import SQLite
import Migrations
import RowRewriting

/// Values of one row that the version which a store went back to has no place for.
struct ParkedRow: Hashable {
  /// The entity, in the names of the version that the values are of.
  let entity: String

  /// The row's primary key.
  let key: Int64

  /// A Boolean value indicating whether the row itself has no place, and all of it is here.
  let isWhole: Bool

  /// The values by the names of their columns.
  let values: [ParkedValue]
}

/// One parked value.
struct ParkedValue: Hashable {
  /// The column that it stood in.
  let column: String

  /// The value.
  let value: Value

  /// What migrating again makes of what the old version keeps in its place; none where nothing does.
  ///
  /// The parked value fits only where the row still becomes that.
  let standIn: Value?
}

extension ParkedRow {
  /// The row as a line of JSON, without the line's end.
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

extension Value {
  /// The value with its storage class, so that every bit comes back.
  var parkedJSON: JSONValue {
    switch self {
    case .null: .null
    case .integer(let number): ["integer": .int(number)]
    // The bits: no decimal number is needed to be read back as the same one.
    case .real(let number): ["real": .string(String(number.bitPattern, radix: 16))]
    case .text(let bytes):
      if let text = String(validating: bytes, as: UTF8.self) {
        ["text": .string(text)]
      } else {
        ["text_base64": .string(base64Encoded(bytes))]
      }
    case .blob(let bytes): ["blob_base64": .string(base64Encoded(bytes))]
    }
  }

  init(parked node: JSONNode) throws(JSONError) {
    if node.isNull {
      self = .null
      return
    }
    let object = try node.object(
      allowing: ["integer", "real", "text", "text_base64", "blob_base64"])
    guard let member = object.members.first, object.members.count == 1 else {
      throw node.error("a value has one kind; give one key")
    }
    switch member.key {
    case "integer": self = .integer(try member.node.integer)
    case "text": self = .text(try member.node.string)
    case "real":
      guard let bits = UInt64(try member.node.string, radix: 16) else {
        throw member.node.error("a real number is written as its 64 bits in hexadecimal digits")
      }
      self = .real(Double(bitPattern: bits))
    default:
      guard let bytes = base64Decoded(try member.node.string) else {
        throw member.node.error("this isn't base64")
      }
      self = member.key == "blob_base64" ? .blob(bytes) : .text(bytes)
    }
  }
}
