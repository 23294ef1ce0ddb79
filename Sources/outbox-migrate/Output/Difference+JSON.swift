import JSONText
import StoreMigration

extension Difference {
  /// The line of `diff --json-lines`.
  var json: JSONValue {
    switch self {
    case .row(let row):
      [
        "kind": .string(row.kind.rawValue), "entity": .string(row.entity.name),
        "to": JSONValue(row.entity.newName), "key": .int(row.key),
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
  fileprivate var json: JSONValue {
    switch self {
    case .value(let mark): mark.json
    case .link(let entity, let key):
      ["kind": "link", "entity": .string(entity), "key": .int(key)]
    }
  }
}

extension ValueMark {
  /// The mark, and the value where it may be shown.
  fileprivate var json: JSONValue {
    let mark: [JSONValue.Member] = [
      .init("kind", .string(kind.rawValue)), .init("bytes", JSONValue(byteCount)),
      .init("mark", JSONValue(digits)),
    ]
    return .object(mark + (revealed.map { [.init("value", $0.json)] } ?? []))
  }
}

extension ValueMark.Revealed {
  fileprivate var json: JSONValue {
    switch self {
    case .integer(let number): .int(number)
    case .real(let number): .double(number)
    case .text(let text): .string(text)
    }
  }
}

extension PairedName {
  /// The two keys by which JSON documents name what two stores have in common.
  var members: [JSONValue.Member] {
    [.init("name", .string(name)), .init("to", JSONValue(newName))]
  }

  /// Which of the stores have it.
  var location: JSONValue {
    a == nil ? "b" : b == nil ? "a" : "both"
  }
}
