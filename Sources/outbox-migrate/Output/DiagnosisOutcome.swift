import JSONText
import SafeText
import StoreDiagnosis
import StoreMigration
import StoreModel

/// The report of `diagnose`.
struct DiagnosisOutcome: Report {
  let diagnosis: Diagnosis

  /// Whether the store was compared with versions of the app.
  let isCompared: Bool

  var exitStatus: ExitStatus {
    guard let first = diagnosis.causes.first else { return .done }
    return first.code == .noStore ? .noStore : .failed
  }

  var members: [JSONValue.Member] {
    [
      .init("store", .string(diagnosis.path)), .init("compared", .bool(isCompared)),
      .init("tables_checked", .bool(diagnosis.checksTables)),
      .init("causes", JSONValue(diagnosis.causes) { $0.json }),
      .init("notes", JSONValue(diagnosis.notes) { .string($0) }),
    ]
  }

  func lines(_ style: Style) -> [String] {
    let title = Columns(rows: [["Store", Cell(diagnosis.path)]], indent: 0).lines(style)
    let notes = diagnosis.notes.map { "Note: \($0.printable)." }
    guard let first = diagnosis.causes.first else {
      let words =
        !diagnosis.checksTables
        ? "but tables and rows weren't checked; see below"
        : isCompared ? "the app should open this store" : "the store is in order"
      return title + ["", "\(style(.good, "Nothing found:")) \(words)."]
        + (notes.isEmpty ? [] : [""]) + notes
    }
    let rest = diagnosis.causes.dropFirst().flatMap { cause in
      ["", "Also: \(cause.sentence.printable) [\(cause.code.rawValue)]"]
        + cause.details(style, of: diagnosis.path)
    }
    return title + ["", style(.bad, "\(opening(first)):")]
      + ["\(first.sentence.capitalized.printable). [\(first.code.rawValue)]"]
      + first.details(style, of: diagnosis.path) + rest + (notes.isEmpty ? [] : [""]) + notes
  }
}

extension DiagnosisOutcome {
  private func opening(_ cause: Diagnosis.Cause) -> String {
    if cause.code == .noStore { return "There is no store here" }
    if cause.code == .losesData { return "The app opens the store, and loses data" }
    if cause.code == .otherModel { return "The app must migrate the store" }
    return cause.code.preventsOpening
      ? "The app can't open the store" : "The app may open the store, but it isn't in order"
  }
}

extension Diagnosis.Cause {
  fileprivate var json: JSONValue {
    [
      "code": .string(code.rawValue), "message": .string(sentence),
      "prevents_opening": .bool(code.preventsOpening),
      "errors": JSONValue(errors) {
        ["domain": .string($0.domain), "code": .int($0.code), "text": .string($0.text)]
      },
      "evidence": JSONValue(evidence) { .string($0) }, "next": JSONValue(next) { $0.json },
    ]
  }

  /// The evidence, Apple's errors and the next steps.
  fileprivate func details(_ style: Style, of path: String) -> [String] {
    let shown = errors.map { "\($0.domain) \($0.code): \($0.text)" }
    let inSwiftData =
      code.preventsOpening && errors.contains { $0.domain == "NSCocoaErrorDomain" }
      ? ["With SwiftData, also 'SwiftDataError error 1' (loadIssueModelContainer)"] : []
    return section("Evidence", evidence.map(\.printable))
      + section("The app's log likely has", (shown + inSwiftData).map(\.printable))
      + section(
        "Next",
        next.map { step in
          switch step {
          case .command(let words):
            style.command(words.map { $0 == path ? $0.shellPath : $0.shellWord })
          case .advice(let sentence): sentence.printable
          }
        })
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["  \(title)"] + lines.map { "    \($0)" }
  }
}

extension Diagnosis.NextStep {
  fileprivate var json: JSONValue {
    switch self {
    case .command(let words): ["command": JSONValue(["outbox-migrate"] + words) { .string($0) }]
    case .advice(let sentence): ["advice": .string(sentence)]
    }
  }
}

extension String {
  /// The sentence with a capital letter at its start.
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
