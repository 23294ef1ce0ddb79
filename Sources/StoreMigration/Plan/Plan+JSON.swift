import Migrations
import StoreProof
import OutboxConversion
package import JSONText
import RowRewriting

extension Plan {
  /// The plan as JSON in plan files and in the output of `plan --json`.
  package var members: [JSONValue.Member] {
    [
      .init("app", .string(app)),
      .init("from", .string(from)),
      .init("to", .string(to)),
      .init("migrations", JSONValue(migrations) { .string($0) }),
      .init("steps", JSONValue(steps) { $0.json }),
      .init("conversions", JSONValue(conversions) { $0.json }),
      .init("losses", JSONValue(losses) { $0.json }),
      .init("warnings", JSONValue(warnings) { $0.json }),
      .init("rows_written", .int(rowsWritten)),
      .init("rows", .string(rows.rawValue)),
      .init("delivery", delivery?.json ?? .null),
      .init("examples", JSONValue(examples) { $0.json }),
      .init("needs", ["disk_bytes": .int(neededBytes)]),
    ]
  }
}

extension PlannedStep {
  var json: JSONValue {
    [
      "migration": .string(migration), "verb": .string(verb), "object": .string(object),
      "to": JSONValue(newName), "rows": .int(rows), "reversible": .bool(isReversible),
    ]
  }
}

extension PlannedConversion {
  /// The conversion as JSON in plans, reports and plan files.
  package var json: JSONValue {
    [
      "object": .string(object), "to": .string(target), "rows": .int(rows),
      "classes": .object(classes.map { .init($0.name, .int($0.count)) }),
    ]
  }
}

extension PlannedLoss {
  /// The loss as JSON in plans, reports and plan files.
  package var json: JSONValue {
    ["step": .string(step), "object": .string(object), "rows": .int(rows)]
  }
}

extension PlanWarning {
  /// The warning as JSON in plans and reports.
  package var json: JSONValue {
    let types = eventTypes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return [
      "code": .string(code), "rows": .int(rows), "message": .string(message),
      "event_types": .object(types.map { .init($0.key, .int($0.value)) }),
    ]
  }
}

extension PlanExample {
  var json: JSONValue {
    [
      "entity": .string(entity), "to": .string(newEntity), "key": .int(key), "class": .string(kind),
      "before": JSONValue(before) { $0.json }, "after": JSONValue(after) { $0.json },
    ]
  }
}

extension PlanExample.Part {
  var json: JSONValue {
    .object([.init("attribute", .string(attribute))] + fingerprint.members)
  }
}
