import SafeText
import StoreModel
import JSONText
import OutboxCore
import OutboxStore
import StoreMigration
import StoreProof

/// The report of `outbox verify` and `outbox orphans` on one store.
struct OutboxAuditOutcome: Report {
  let path: String
  let findings: OutboxFindings

  /// The kinds of findings that were checked.
  let kinds: [OutboxFinding.Kind]

  /// The entities by type; `nil` if they weren't counted.
  var states: [OutboxEventType: OutboxEntityStates]?

  var exitStatus: ExitStatus {
    findings.isHealthy ? .done : .verificationFailed
  }

  var members: [JSONValue.Member] {
    [
      .init("store", .string(path)), .init("ok", .bool(findings.isHealthy)),
      .init("findings", JSONValue(kinds) { json($0) }),
    ] + (states?.members ?? [])
  }

  private func json(_ kind: OutboxFinding.Kind) -> JSONValue {
    let types = findings.countsByType[kind, default: [:]]
    return [
      "kind": .string(kind.rawValue), "meaning": .string(kind.meaning),
      "count": .int(findings.counts[kind, default: 0]), "problem": .bool(kind.isProblem),
      "event_types": .object(
        OutboxEventType.allCases.compactMap { type in
          types[type].map { .init(type.rawValue, .int($0)) }
        }),
      "rows": JSONValue(findings.first[kind, default: []]) {
        ["entity": .string($0.entity), "key": .int($0.key)]
      },
    ]
  }

  func lines(_ style: Style) -> [String] {
    let found = kinds.filter { findings.counts[$0] != nil }
    let problems = found.filter(\.isProblem).reduce(0) { $0 + (findings.counts[$1] ?? 0) }
    return found.flatMap { lines(of: $0, style) } + (states?.lines(style) ?? []) + [
      problems == 0
        ? style(.good, "Verified:") + " \(good)"
        : style(.bad, "Found:") + " \(problems.counted("row")) with problems."
    ]
  }

  /// The conclusion if there are no problems.
  private var good: String {
    kinds.contains(.stuck)
      ? "nothing prevents an event from being delivered."
      : "every event has its entity, or doesn't need it."
  }

  private func lines(of kind: OutboxFinding.Kind, _ style: Style) -> [String] {
    let count = findings.counts[kind, default: 0]
    let types = OutboxEventType.allCases.compactMap { type in
      findings.countsByType[kind]?[type].map { "\($0.grouped) \(type.rawValue)" }
    }
    let first = findings.first[kind, default: []]
    let rest = count - Int64(first.count)
    let rows = first.map { "\($0.entity)/\($0.key)" }.joined(separator: ", ")
    return [
      style(kind.isProblem ? .changed : .faint, kind.rawValue)
        + "   \(count.counted("row")): \(kind.meaning)",
      "  " + (types.isEmpty ? "" : types.joined(separator: " · ") + ": ") + rows.printable
        + (rest > 0 ? ", and \(rest.grouped) more" : ""),
      "",
    ]
  }
}
