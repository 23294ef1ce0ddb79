import InputFiles
import SafeText
import JSONText
import MigrationMonitoring
import Platform
import Processes
import StoreMigration

/// The result of one store's process: its document and its exit status.
struct StoreResult {
  /// The path, as typed.
  let store: String

  /// The printed document, or else a document with the error.
  var document: JSONValue

  /// The exit status.
  let exitStatus: ExitStatus

  init(_ store: String, _ end: Program.Outcome) {
    self.store = store
    if let status = ExitStatus(rawValue: end.status),
      let document = try? JSONNode(parsing: end.output)
    {
      (self.document, exitStatus) = (document.json, status)
    } else {
      let failure = Failure(.failed, Self.reason(end))
      document = ["format_version": 1, "store": .string(store), "error": failure.json]
      exitStatus = .failed
    }
    message = document["error"]?["message"]?.text
    // The document may be dropped.
    milliseconds = if case .int(let time)? = document["duration_ms"] { time } else { nil }
  }

  /// The error message; `nil` if there is no error.
  let message: String?

  private static func reason(_ end: Program.Outcome) -> String {
    end.signal.map { "its process was killed by signal \($0); run the command again" }
      ?? "its process ended without a report; run the command again"
  }

  /// A Boolean value indicating whether the store is migrated.
  var isDone: Bool { exitStatus == .done }

  /// A Boolean value indicating whether this run migrated it.
  var isChanged: Bool { document["changes"] == .bool(true) }

  /// The migration; `nil` if it failed.
  var migration: RunMonitor.Result? {
    guard isDone, let app = document["app"]?.text, let from = document["from"]?.text,
      let to = document["to"]?.text
    else { return nil }
    return RunMonitor.Result(
      app: app, from: from, to: to, rows: rowsWritten, milliseconds: milliseconds ?? 0,
      hasChanges: isChanged)
  }

  /// The number of written rows.
  var rowsWritten: Int64 { number("rows_written") ?? 0 }

  /// The time that the migration took; `nil` if it failed.
  let milliseconds: Int64?

  private func number(_ key: String) -> Int64? {
    if case .int(let number)? = document[key] { number } else { nil }
  }

  /// The document as one line of JSON.
  var line: String { document.text() }

  /// Returns a line for the terminal.
  func sentence(_ style: Style) -> String {
    if let message {
      let isStopped = exitStatus == .interrupted || exitStatus == .terminated
      return "\(isStopped ? "Stopped" : "Error"): \(store.printable): \(message)"
    }
    let from = document["from"]?.text ?? ""
    let to = document["to"]?.text ?? ""
    let app = document["app"]?.text ?? ""
    let path = store.printable
    guard isChanged else {
      return "\(path)  already at \(app) \(to)".printable + warningText(style)
    }
    return "\(path)  \(app) \(from) -> \(to)".printable
      + "  \(rowsWritten.counted("row")) written, "
      + style(.good, "verified") + warningText(style)
  }

  /// Returns the codes of the warnings with their rows, on a line of their own; empty without any.
  private func warningText(_ style: Style) -> String {
    guard case .array(let warnings)? = document["warnings"], !warnings.isEmpty else { return "" }
    let words = warnings.map { warning in
      let rows: Int64 = if case .int(let count)? = warning["rows"] { count } else { 0 }
      return (warning["code"]?.text ?? "").printable + (rows > 0 ? " (\(rows.counted("row")))" : "")
    }
    return "\n  " + style(.changed, "Warnings:") + " " + words.joined(separator: ", ")
  }
}

extension JSONValue {
  fileprivate var text: String? {
    if case .string(let text) = self { text } else { nil }
  }
}

extension JSONNode {
  /// The value for writing; the tool's documents have only integers and short decimals.
  fileprivate var json: JSONValue {
    switch value {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .number(let spelling): Int64(spelling).map { .int($0) } ?? .double(Double(spelling) ?? 0)
    case .string(let text): .string(text)
    case .array(let elements): .array(elements.map(\.json))
    case .object(let members): .object(members.map { .init($0.key, $0.node.json) })
    }
  }
}
