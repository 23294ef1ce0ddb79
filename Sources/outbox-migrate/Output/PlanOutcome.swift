import JSONText
import StoreMigration

/// What `plan` says of one store.
struct PlanOutcome: Report {
  /// The path as it was typed.
  let path: String

  let plan: Plan

  /// What was asked for.
  let options: RequestOptions

  /// How it is said to people.
  var format = PlanFormat.text

  /// A Boolean value indicating whether pending changes have an exit status of their own.
  let reportsChanges: Bool

  var exitStatus: StoreMigration.ExitStatus {
    reportsChanges && plan.hasChanges ? .changesPending : .done
  }

  var members: [JSONValue.Member] {
    [
      .init("store", .string(path)),
      .init("app", .string(plan.app)),
      .init("from", .string(plan.from)),
      .init("to", .string(plan.to)),
      .init("changes", .bool(plan.hasChanges)),
      .init("steps", JSONValue(plan.steps) { $0.json }),
      .init("conversions", JSONValue(plan.conversions) { $0.json }),
      .init("losses", JSONValue(plan.losses) { $0.json }),
      .init("warnings", JSONValue(plan.warnings) { $0.json }),
      .init("needs", ["disk_bytes": .int(plan.neededBytes)]),
      .init("reversible", .bool(plan.isReversible)),
    ]
  }
}

extension PlannedStep {
  fileprivate var json: JSONValue {
    [
      "migration": .string(migration), "verb": .string(verb), "object": .string(object),
      "to": JSONValue(newName), "rows": .int(rows), "reversible": .bool(isReversible),
    ]
  }
}

extension PlannedConversion {
  var json: JSONValue {
    [
      "object": .string(object), "to": .string(target), "rows": .int(rows),
      "classes": .object(classes.map { .init($0.name, .int($0.count)) }),
    ]
  }

  /// A line of a table: attribute, new name, values, classes.
  var cells: [Cell] {
    // Of `SDOutboxEvent.payload` and `SDOutboxEvent.metadata` the second name says enough.
    let entity = object.prefix { $0 != "." } + "."
    let name = target.hasPrefix(entity) ? String(target.dropFirst(entity.count)) : target
    return [
      Cell(object), Cell("-> " + name), Cell(rows.counted("value")),
      Cell(classes.map { "\($0.count.grouped) \($0.name)" }.joined(separator: " · ")),
    ]
  }
}

extension PlannedLoss {
  var json: JSONValue {
    ["step": .string(step), "object": .string(object), "rows": .int(rows)]
  }
}

extension PlanWarning {
  fileprivate var json: JSONValue {
    let types = eventTypes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return [
      "code": .string(code), "rows": .int(rows), "message": .string(message),
      "event_types": .object(types.map { .init($0.key, .int($0.value)) }),
    ]
  }
}
