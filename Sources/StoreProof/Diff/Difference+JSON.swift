package import JSONText

extension Difference {
  /// The line of `diff --json-lines`.
  package var json: JSONValue {
    switch self {
    case .row(let row):
      [
        "kind": .string(row.kind.rawValue), "entity": .string(row.entity.name),
        "to": JSONValue(row.entity.newName), "key": .int(row.key),
        "key_in_b": row.keyInB.map { .int($0) } ?? .null,
        "cells": JSONValue(row.cells) { $0.json },
      ]
    case .link(let link):
      [
        "kind": .string(link.kind.rawValue), "relationship": .string(link.relationship.name),
        "to": JSONValue(link.relationship.newName), "key": .int(link.key),
        "destination": .int(link.destination),
      ]
    }
  }
}

extension CellDifference {
  fileprivate var json: JSONValue {
    .object(
      name.members + [
        .init("before", before?.json ?? .null), .init("after", after?.json ?? .null),
      ])
  }
}

extension CellDifference.Content {
  /// The fingerprint of a value, or the row that a link leads to.
  package var json: JSONValue {
    switch self {
    case .value(let fingerprint): .object(fingerprint.members)
    case .link(let entity, let key):
      ["kind": "link", "entity": .string(entity), "key": .int(key)]
    }
  }
}

extension PairedName {
  /// The two JSON members that name an entity or property of two stores.
  package var members: [JSONValue.Member] {
    [.init("name", .string(name)), .init("to", JSONValue(newName))]
  }

  /// The stores that have it: `a`, `b` or `both`.
  package var location: JSONValue {
    a == nil ? "b" : b == nil ? "a" : "both"
  }
}
