import SafeText
import StoreModel
import StoreProof
import JSONText
import StoreMigration
import TemplateImport
import OutboxConversion

/// The report of `import templates`.
struct ImportedTemplates: Report {
  /// The path of the preferences, as typed.
  let preferences: String
  let options: TemplateImport
  let isDryRun: Bool
  let outcome: (report: EditReport, result: TemplateImportReport)

  private var report: EditReport { outcome.report }
  private var result: TemplateImportReport { outcome.result }

  var exitStatus: ExitStatus { result.unreadable > 0 ? .failed : .done }
  var hasChangedFiles: Bool { report.snapshot != nil }

  var members: [JSONValue.Member] {
    [
      .init("store", .string(report.path)), .init("preferences", .string(preferences)),
      .init("key", .string(options.key)), .init("app", .string(report.app)),
      .init("version", .string(report.version)), .init("snapshot", JSONValue(report.snapshot)),
      .init("found", JSONValue(result.items.count)), .init("imported", JSONValue(imported)),
      .init("updated", JSONValue(updated)), .init("skipped", JSONValue(skipped)),
      .init("unreadable", JSONValue(result.unreadable)),
      .init("templates", JSONValue(result.items) { $0.json }),
      .init("without_column", JSONValue(result.rest) { $0.json }),
      .init(
        "unknown_keys",
        .object(
          result.unknownKeys.sorted { $0.key < $1.key }.map { .init($0.key, .int(Int64($0.value))) }
        )), .init("events", JSONValue(result.events)),
      .init("warnings", JSONValue(warnings) { $0.json }),
      .init("changes", JSONValue(report.changes) { $0.json }), .init("dry_run", .bool(isDryRun)),
      .init("duration_ms", .int(report.durationMilliseconds)),
      .init("notes", JSONValue(report.notes) { .string($0) }),
    ]
  }

  func lines(_ style: Style) -> [String] {
    let head: [[Cell]] = [
      ["Store", Cell(report.path), Cell("\(report.app) \(report.version)")],
      ["Preferences", Cell(preferences), Cell(Int64(result.items.count).counted("template"))],
    ]
    return report.notes.map { "Note: " + $0.printable }
      + Columns(
        rows: head + (report.snapshot.map { [["Snapshot", Cell($0)]] } ?? []), indent: 0
      ).lines(style)
      + section("Templates", Columns(rows: counts).lines(style))
      + section("Couldn't be read", unreadable)
      + section("Fields without a V11 column", withoutColumn)
      + section("Unknown keys", unknownKeys)
      + section("Warnings", warnings.map { "  \($0.count.counted($0.noun)) \($0.message)" })
      + section(
        isDryRun ? "Would be written" : "Written", report.changes.map { "  \($0.sentence)" })
      + [""] + conclusion(style)
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["", title] + lines
  }
}

// MARK: - Parts

extension ImportedTemplates {
  private var imported: Int { result.count { $0 == .imported } }
  private var updated: Int { result.count { $0 == .updated } }
  private var skipped: Int { result.count { $0 == .skipped } }

  private var counts: [[Cell]] {
    [
      (imported, "new"), (updated, "updated"), (skipped, "already in the store, skipped"),
      (result.unreadable, "unreadable"),
      (result.events, result.events == 1 ? "outbox event" : "outbox events"),
    ].filter { $0.0 > 0 }.map { [Cell(Int64($0.0).grouped), Cell($0.1)] }
  }

  private var unreadable: [String] {
    result.items.compactMap { item in
      guard case .unreadable(let reason) = item.fate else { return nil }
      return "  templates[\(item.index)]: \(reason.printable)"
    }
  }

  private static let shownLimit = 20

  private var withoutColumn: [String] {
    guard !result.rest.isEmpty else { return [] }
    let lines = result.rest.prefix(Self.shownLimit).map {
      "  templates[\($0.template)].exercises[\($0.exercise)]: \($0.names.joined(separator: ", "))"
    }
    let more = result.rest.count - lines.count
    let result =
      options.keepsInNotes
      ? "  appended to the notes" : "  not imported; '--keep-in-notes' appends them"
    return lines + (more > 0 ? ["  and \(Int64(more).counted("more exercise"))"] : []) + [result]
  }

  private var unknownKeys: [String] {
    result.unknownKeys.sorted { $0.key < $1.key }.map {
      "  \($0.key.printable)  \(Int64($0.value).counted("time"))"
    }
  }

  private struct Warning {
    let code: String
    let count: Int64
    let noun: String
    let message: String

    var json: JSONValue {
      ["code": .string(code), "count": .int(count), "message": .string(message)]
    }
  }

  private var warnings: [Warning] {
    let all = [
      Warning(
        code: "other-user", count: Int64(result.adopted), noun: "template",
        message: "linked to another user's profile, because the named user has no profile"),
      Warning(
        code: "exercise-count", count: Int64(result.correctedCounts), noun: "template",
        message: "with a wrong exercise count, which was corrected"),
      Warning(
        code: "other-template", count: Int64(result.reclaimedExercises), noun: "exercise",
        message: "with the id of another template; left in the template that contains them"),
      Warning(
        code: "exercise-removed", count: Int64(result.removedExercises), noun: "exercise",
        message: "removed from the store, because they aren't in the preferences"),
      Warning(
        code: "store-newer", count: Int64(result.replacedNewer), noun: "template",
        message: "updated, although the store's date is later than the preferences'"),
    ]
    return all.filter { $0.count > 0 }
  }

  private func conclusion(_ style: Style) -> [String] {
    let path = report.path.shellPath
    if isDryRun {
      return ["Nothing has been written. To import, leave out '--dry-run'."]
    }
    guard report.snapshot != nil else { return ["Nothing to write."] }
    let duration = report.durationMilliseconds.milliseconds
    return [
      style(.good, "Imported:") + " \(Int64(imported + updated).counted("template")), "
        + "verified, in \(duration).",
      "To roll back:  \(style.command(["rollback", path]))",
    ]
  }
}

extension TemplateImportReport.Item {
  fileprivate var json: JSONValue {
    let (name, reason): (String, String?) =
      switch fate {
      case .imported: ("imported", nil)
      case .updated: ("updated", nil)
      case .skipped: ("skipped", nil)
      case .unreadable(let reason): ("unreadable", reason)
      }
    return [
      "index": JSONValue(index), "fate": .string(name), "reason": JSONValue(reason),
      "key": key.map { .int($0) } ?? .null, "exercises": JSONValue(exercises),
    ]
  }
}

extension TemplateImportReport.Rest {
  fileprivate var json: JSONValue {
    [
      "template": JSONValue(template), "exercise": JSONValue(exercise),
      "fields": JSONValue(names) { .string($0) },
    ]
  }
}
