import SafeText
import JSONText
import StoreExchange
import StoreMigration
import StoreProof

/// The report of `snapshot list` on one store.
struct SnapshotList: Report {
  let report: SnapshotListReport

  var exitStatus: ExitStatus {
    report.isChecked && !report.isPassed ? .verificationFailed : .done
  }

  var members: [JSONValue.Member] {
    [
      .init("store", .string(report.path)),
      .init("snapshots", JSONValue(report.snapshots) { $0.json(isChecked: report.isChecked) }),
    ]
  }

  func lines(_ style: Style) -> [String] {
    if report.snapshots.isEmpty { return ["\(report.path.printable) has no snapshots."] }
    let title: [Cell] = ["Snapshot", "Kind", "From", "To", "Time", "Size", "State"]
    let rows = report.snapshots.map { $0.cells(isChecked: report.isChecked) }
    return Columns(rows: [title] + rows, rightAligned: [5], indent: 0).lines(style)
      + conclusion(style)
  }

  private func conclusion(_ style: Style) -> [String] {
    guard report.snapshots.contains(where: \.isRestoredByRollback) else { return [] }
    let command = style.needingMigrations(report.lacksMigrations)
      .command(["rollback", report.path.shellPath])
    return [
      "", "To roll back:  \(command)",
      "If the app wrote to the store since, add '--keep-changes' or '--discard-changes'.",
    ]
  }
}

extension SnapshotReport {
  /// Returns a row of a table: name, command or kind, versions, time, size, state.
  func cells(isChecked: Bool) -> [Cell] {
    [
      Cell(name), Cell(receipt.map { $0.command ?? $0.kind.rawValue } ?? "-"),
      Cell(receipt?.from ?? "-"),
      Cell(receipt?.to ?? "-"), Cell(receipt?.time ?? "-"), Cell(bytes.byteSize),
      Cell(stateText(isChecked: isChecked), isSound ? .good : .bad),
    ]
  }

  /// A Boolean value indicating whether `rollback` would restore it.
  var isRestoredByRollback: Bool { isNext && isSound }

  private var isSound: Bool { state == .done && problem == nil }

  private func stateText(isChecked: Bool) -> String {
    let words =
      switch state {
      case .unfinished: "left by an interrupted run"
      case .unreadable: problem ?? ""
      case .done: problem ?? (isChecked ? "valid" : "complete")
      }
    return words + (isRestoredByRollback ? ", the next 'rollback' restores it" : "")
  }

  func json(isChecked: Bool) -> JSONValue {
    [
      "name": .string(name), "path": .string(path), "state": .string(state.rawValue),
      "kind": JSONValue(receipt?.kind.rawValue),
      "command": JSONValue(receipt?.command), "app": JSONValue(receipt?.app),
      "from": JSONValue(receipt?.from), "to": JSONValue(receipt?.to),
      "time": JSONValue(receipt?.time), "bytes": .int(bytes), "next": .bool(isNext),
      "sound": isChecked ? .bool(isSound) : .null, "problem": JSONValue(problem),
    ]
  }
}
