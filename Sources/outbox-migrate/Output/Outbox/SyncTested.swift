import InputFiles
import JSONText
import Platform
import SafeText
import StoreMigration

/// The report of `outbox sync-test` on one store.
struct SyncTested: Report {
  /// A step, with the reason if it failed.
  private struct Step {
    let name: String
    let reason: String?

    /// What was done, for a terminal.
    var meaning: String {
      switch name {
      case "create": "add a marked entity and its event to the store"
      case "send": "send the event to the server"
      case "check": "find the event completed, and the entity with the server's id"
      case "delete": "delete the entity on the server"
      case "remove": "remove the entity and its events from the store"
      default: name
      }
    }
  }

  private let path: String
  private let snapshot: String?
  private let notes: [String]
  private let isDryRun: Bool
  private let type: String?
  private let left: String?

  /// Whether the server may have the entity under an id that it didn't tell.
  private let mayBeLeft: Bool
  private let steps: [Step]
  private let signal: StopSignal?

  /// Reads the result of `outbox-deliver`; `nil` with `--dry-run`.
  init(
    path: String, snapshot: String?, notes: [String], result: JSONObject?,
    signal: StopSignal? = nil
  ) throws(Failure) {
    (self.path, self.snapshot, self.notes, self.signal) = (path, snapshot, notes, signal)
    isDryRun = result == nil
    do {
      type = try result?.text("event_type")
      left = try result?.text("left_on_server")
      mayBeLeft = try result?.required("may_be_left_on_server").bool ?? false
      steps =
        try result?.required("steps").array.map { node throws(JSONError) in
          let step = try node.object
          return Step(
            name: try step.required("step").string, reason: try step.text("reason"))
        } ?? []
    } catch {
      throw Failure(
        .failed,
        "can't read the output of 'outbox-deliver'; install the same version of both programs")
    }
  }

  private var isGood: Bool { steps.allSatisfy { $0.reason == nil } }

  var hasChangedFiles: Bool { snapshot != nil }

  var exitStatus: ExitStatus { signal.map { ExitStatus($0) } ?? (isGood ? .done : .failed) }

  var members: [JSONValue.Member] {
    [
      .init("store", .string(path)), .init("snapshot", JSONValue(snapshot)),
      .init("dry_run", .bool(isDryRun)), .init("ok", .bool(isGood)),
      .init("event_type", JSONValue(type)),
      .init(
        "steps",
        JSONValue(steps) {
          [
            "step": .string($0.name), "ok": .bool($0.reason == nil), "reason": JSONValue($0.reason),
          ]
        }), .init("left_on_server", JSONValue(left)),
      .init("may_be_left_on_server", .bool(mayBeLeft)), .init("stopped", .bool(signal != nil)),
      .init("notes", JSONValue(notes) { .string($0) }),
    ]
  }

  func lines(_ style: Style) -> [String] {
    let kept: [[Cell]] = snapshot.map { [["Snapshot", Cell($0)]] } ?? []
    let rows: [[Cell]] = steps.map { step in
      [
        step.reason == nil ? Cell("ok", .good) : Cell("failed", .bad), Cell(step.meaning),
        Cell(step.reason ?? "", .bad),
      ]
    }
    return notes.map { "Note: " + $0.printable }
      + Columns(rows: [["Store", Cell(path)]] + kept, indent: 0).lines(style)
      + (rows.isEmpty ? [] : [""] + Columns(rows: rows).lines(style)) + ["", sentence(style)]
      + (left.map { ["The server still has the marked entity '\($0.printable)'; delete it there."] }
        ?? [])
      + (mayBeLeft
        ? [
          "The server may have kept the marked entity under an id that it didn't tell: look for one "
            + "with the text 'outbox-migrate sync-test', and delete it there."
        ] : [])
  }

  private func sentence(_ style: Style) -> String {
    if isDryRun {
      return "The address and the token can be used. Nothing has been sent or written."
    }
    return isGood
      ? style(.good, "Tested:")
        + " the server accepted and deleted one invented \(type ?? "event")."
      : style(.bad, "Failed:") + " see the steps above."
  }
}

extension JSONObject {
  /// Returns the text of a key, or `nil` for `null`.
  fileprivate func text(_ key: String) throws(JSONError) -> String? {
    let node = try required(key)
    return node.isNull ? nil : try node.string
  }
}
