import PlanWriting
import MigrationMonitoring
import SafeText
import StoreModel
import StoreMigration
import StoreProof

/// The report of `apply` on one store.
struct ApplyOutcome: Report {
  let report: ApplyReport

  /// The options of the run, quoted for a shell.
  let options: [String]

  /// The time that was expected; `nil` without a rate.
  var expected: ExpectedTime?

  /// A Boolean value indicating whether the user asked for the expected time.
  var tellsTime = false

  var exitStatus: ExitStatus { report.isVerified ? .done : .verificationFailed }
  var hasChangedFiles: Bool { report.hasChanges }

  func lines(_ style: Style) -> [String] {
    notes
      + (report.hasChanges ? doneLines(style) : nothingToDo(style))
  }

  private var notes: [String] { report.notes.map { "Note: " + $0.printable } }

  private func nothingToDo(_ style: Style) -> [String] {
    let warnings = report.warnings.section(style)
    return warnings.dropFirst() + (warnings.isEmpty ? [] : [""]) + [
      "Nothing to do: \(report.path.printable) is already at \(report.app) \(report.to).".printable
    ]
  }

  private func doneLines(_ style: Style) -> [String] {
    head(style) + propertyLines(style) + deliveryLines(style) + lossLines(style)
      + report.warnings.section(style) + [
        "",
        style(.good, "Applied:") + " \(report.rowsWritten.counted("row")) written, "
          + "\(valueCount.counted("value")) accounted for, "
          + "\(report.isVerified ? "verified" : "not verified"), "
          + "in \(report.durationMilliseconds.milliseconds).",
      ] + (expected.map { [$0.sentence(took: report.durationMilliseconds)] } ?? [])
      + (style.migrations == nil
        ? [] : ["To verify:     \(style.command(["verify", report.path.shellPath]))"])
      + ["To roll back:  \(style.command(["rollback", report.path.shellPath]))"] + otherForm(style)
  }

  /// Returns the commands that write rows which the app can send, if those written stop it.
  private func otherForm(_ style: Style) -> [String] {
    guard report.warnings.contains(where: { $0.code == "event-type-unroutable" }) else { return [] }
    let words = ["apply", report.path.shellPath] + options + ["--rows", "deliverable"]
    return [
      "For outbox rows that the app can send:  \(style.command(words))"
    ]
  }

  private func head(_ style: Style) -> [String] {
    var rows: [[Cell]] = [
      ["Store", Cell(report.path), Cell("\(report.app) \(report.from) -> \(report.to)")]
    ]
    if let snapshot = report.snapshot { rows.append(["Snapshot", Cell(snapshot)]) }
    return Columns(rows: rows, indent: 0).lines(style)
  }

  private func propertyLines(_ style: Style) -> [String] {
    // Properties that were copied bit for bit need no line.
    let changed = report.ledger.filter { !$0.isBookkeeping && $0.identical < $0.rows }
    let outbox = report.delivery == nil ? nil : "SDOutboxEvent"
    let rows = changed.map { $0.cells(isDelivered: $0.entity == outbox) }
    let reason =
      "  Set aside: values of rows that aren't written, and values that the app doesn't need"
    return rows.isEmpty
      ? []
      : [""] + Columns(rows: rows, rightAligned: [1]).lines(style)
        + (changed.contains { $0.entity == outbox && $0.setAside > 0 } ? [reason] : [])
  }

  private func deliveryLines(_ style: Style) -> [String] {
    guard let delivery = report.delivery else { return [] }
    return ["", "Outbox, in the form that the app sends"] + delivery.lines(style)
  }

  private func lossLines(_ style: Style) -> [String] {
    let losses = report.losses.filter { $0.rows > 0 }
    if losses.isEmpty { return [] }
    let rows: [[Cell]] = losses.map {
      [Cell("-", .bad), Cell($0.step), Cell($0.amount)]
    }
    return ["", "Accepted losses (the snapshot keeps them)"]
      + Columns(rows: rows, rightAligned: [2], gap: 2).lines(style)
  }

  /// The number of values that `verify` accounts for, too.
  var valueCount: Int64 {
    report.ledger.reduce(0) { $0 + ($1.isBookkeeping ? 0 : $1.rows) }
  }
}

extension LedgerEntry {
  /// Why values are set aside.
  private var reason: String {
    let lost = setAside - setAsideEmpty
    let losses = lost.counted("accepted loss", "accepted losses")
    if lost == 0 { return "empty or default: no loss" }
    return setAsideEmpty == 0 ? losses : "\(losses), \(setAsideEmpty.grouped) empty or default"
  }

  /// Returns a row of a table: property, values, result.
  fileprivate func cells(isDelivered: Bool) -> [Cell] {
    let parts = [
      (identical, "identical"), (converted, "converted and back"),
      (normalised, "normalised (\(whitespaceBytes.byteSize) of white space removed)"),
      (rounded, "rounded"), (clamped, "clamped"), (computed, "computed"),
      (setAside, "set aside" + (isDelivered ? "" : " (\(reason))")),
    ]
    let shown = parts.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
    return [
      Cell("\(entity).\(property)"), Cell(rows.counted("value")),
      Cell(shown.joined(separator: " · ")),
    ]
  }
}
