import PlanWriting
import RowInspection
import SafeText
import StoreProof
import Migrations
import JSONText
import StoreMigration
import OutboxConversion

/// The report of `explain`.
struct ExplainOutcome: Report {
  let explanation: Explanation

  /// The warnings about the store's files.
  let warnings: [PlanWarning]

  var members: [JSONValue.Member] {
    [
      .init("store", .string(explanation.path)), .init("app", .string(explanation.app)),
      .init("from", .string(explanation.from)), .init("to", .string(explanation.to)),
      .init("entity", .string(explanation.entity)),
      .init("new_entity", JSONValue(explanation.newEntity)), .init("key", .int(explanation.key)),
      .init("row", explanation.row.json),
      .init("steps", JSONValue(explanation.events) { $0.json }),
      .init("properties", JSONValue(explanation.fates) { $0.json }),
      .init("outcome", JSONValue(explanation.outcome)),
      .init("warnings", JSONValue(warnings) { $0.json }),
    ]
  }

  func lines(_ style: Style) -> [String] { storyLines(style) + warnings.section(style) }

  private func storyLines(_ style: Style) -> [String] {
    if let outcome = explanation.outcome {
      return head(style) + ["", "Outbox: \(outcome.printable)"]
    }
    if explanation.events.isEmpty {
      return head(style) + ["", "No step changes this row."]
    }
    let steps = explanation.migrations.flatMap { migration in
      ["", migration.printable] + stepLines(of: migration, style)
    }
    return head(style) + steps + fateLines(style)
  }

  private func head(_ style: Style) -> [String] {
    let versions = "\(explanation.app) \(explanation.from) -> \(explanation.to)"
    let result =
      explanation.newEntity.map { "\($0)/\(explanation.key)" }
      ?? "(\(explanation.fate ?? "dropped"))"
    let name = "\(explanation.entity)/\(explanation.key)"
    let titles = Columns(
      rows: [
        ["Store", Cell(explanation.path), Cell(versions)],
        ["Row", Cell(name), Cell(result == name ? "" : "-> \(result)")],
      ], indent: 0
    ).lines(style)
    return titles + [""] + explanation.row.lines(style)
  }

  private func stepLines(of migration: String, _ style: Style) -> [String] {
    let rows = explanation.events.filter { $0.migration == migration }.map(\.cells)
    return Columns(rows: rows, gap: 2).lines(style)
  }

  private func fateLines(_ style: Style) -> [String] {
    let changed = explanation.fates.filter { !$0.rules.isEmpty }
    let rest = explanation.fates.filter(\.rules.isEmpty).compactMap { $0.target?.property }
    let restLine =
      rest.isEmpty
      ? [] : ["", "Unchanged: \(rest.joined(separator: ", ").printable)"]
    if changed.isEmpty { return restLine }
    return ["", "The row in \(explanation.to.printable)"]
      + Columns(rows: changed.map(\.cells)).lines(style) + restLine
  }
}

extension Explanation {
  /// The migrations that concern the row, in order.
  fileprivate var migrations: [String] {
    var names: [String] = []
    for event in events where names.last != event.migration { names.append(event.migration) }
    return names
  }
}

extension Explanation.Event {
  fileprivate var json: JSONValue {
    [
      "migration": .string(migration), "verb": .string(verb), "object": .string(object),
      "to": JSONValue(newName), "rule": .string(rule), "before": JSONValue(before) { $0.json },
      "after": JSONValue(after) { $0.json },
    ]
  }

  fileprivate var cells: [Cell] {
    let sign: Cell =
      switch verb {
      case "add": Cell("+", .good)
      case "drop": Cell("-", .bad)
      default: Cell("~", .changed)
      }
    return [sign, Cell(verb), Cell(object), Cell(newName.map { "-> " + $0 } ?? ""), Cell(rule)]
  }
}

extension Explanation.Fate {
  fileprivate var json: JSONValue {
    [
      "from": JSONValue(sources) { $0.json }, "to": target?.json ?? .null,
      "rules": JSONValue(rules) { .string($0) },
    ]
  }

  fileprivate var cells: [Cell] {
    [
      Cell(sources.map(\.text).joined(separator: ", ")),
      Cell("-> " + (target?.text ?? "(dropped)"), target == nil ? .bad : .plain),
      Cell(rules.joined(separator: "; ")),
    ]
  }
}

extension Explanation.Part {
  fileprivate var json: JSONValue {
    ["property": .string(property), "content": content.json]
  }

  fileprivate var text: String {
    switch content {
    case .value(let fingerprint): "\(property) \(fingerprint.text)"
    case .link(let entity, let key): "\(property) \(entity)/\(key)"
    }
  }
}
