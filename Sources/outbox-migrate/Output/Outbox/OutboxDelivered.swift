import InputFiles
import SafeText
import StoreModel
import JSONText
import Platform
import StoreMigration

/// The report of `outbox deliver` on one store.
struct OutboxDelivered: Report {
  let path: String
  let snapshot: String?
  let notes: [String]
  private let signal: StopSignal?
  private let open: Int64
  private let delivered: [(type: String, count: Int64)]
  private let completedUnsent: Int64
  private let reasons: [(message: String, count: Int64)]
  private let failedAttempts: Int64
  private let failedForGood: Int64
  private let fileFailures: Int64
  private let pending: Int64
  private let failed: Int64

  init(
    path: String, snapshot: String?, notes: [String], summary: JSONObject, signal: StopSignal?
  ) throws(Failure) {
    self.path = path
    self.snapshot = snapshot
    self.notes = notes
    self.signal = signal
    do throws(JSONError) {
      var (delivered, reasons): ([(String, Int64)], [(String, Int64)]) = ([], [])
      for member in try summary.required("delivered").object.members {
        delivered.append((member.key, try member.node.integer))
      }
      for reason in try summary.required("reasons").array {
        let reason = try reason.object
        reasons.append(
          (try reason.required("message").string, try reason.required("count").integer))
      }
      self.delivered = delivered
      self.reasons = reasons
      open = try summary.required("open").integer
      completedUnsent = try summary.required("completed_without_sending").integer
      failedAttempts = try summary.required("failed_attempts").integer
      failedForGood = try summary.required("failed_for_good").integer
      fileFailures = try summary.required("file_failures").integer
      pending = try summary.required("pending").integer
      failed = try summary.required("failed").integer
    } catch {
      throw Failure(
        .failed,
        "can't read the output of 'outbox-deliver'; install the same version of both programs")
    }
  }

  var hasChangedFiles: Bool { snapshot != nil }

  private var count: Int64 { delivered.reduce(0) { $0 + $1.count } }

  private var left: Int64 { pending + failed }

  var exitStatus: ExitStatus {
    if let signal { return ExitStatus(signal) }
    if fileFailures > 0 { return .ioError }
    return left == 0 ? .done : .failed
  }

  var members: [JSONValue.Member] {
    [
      .init("store", .string(path)), .init("snapshot", JSONValue(snapshot)),
      .init("dry_run", false), .init("open", .int(open)), .init("delivered", .int(count)),
      .init("event_types", .object(delivered.map { .init($0.type, .int($0.count)) })),
      .init("completed_without_sending", .int(completedUnsent)),
      .init("failed_attempts", .int(failedAttempts)),
      .init("failed_for_good", .int(failedForGood)),
      .init(
        "reasons",
        JSONValue(reasons) { ["message": .string($0.message), "count": .int($0.count)] }),
      .init("pending", .int(pending)), .init("failed", .int(failed)),
      .init("stopped", .bool(signal != nil)), .init("notes", JSONValue(notes) { .string($0) }),
    ]
  }

  func lines(_ style: Style) -> [String] {
    let kept: [[Cell]] = snapshot.map { [["Snapshot", Cell($0)]] } ?? []
    let head = Columns(rows: [["Store", Cell(path)]] + kept, indent: 0)
    let table = Columns(
      rows: delivered.map { [Cell($0.type), Cell($0.count.grouped)] }, rightAligned: [1])
    let failures = Columns(
      rows: reasons.map { [Cell($0.count.counted("time")), Cell($0.message, .bad)] },
      rightAligned: [0])
    return notes.map { "Note: " + $0.printable } + head.lines(style)
      + (delivered.isEmpty ? [] : [""] + table.lines(style))
      + (reasons.isEmpty
        ? []
        : ["", "Failures and delays (\(failedAttempts.counted("failed attempt")))"]
          + failures.lines(style))
      + ["", sentence(style)]
  }

  private func sentence(_ style: Style) -> String {
    if open == 0 { return style(.good, "Nothing to deliver:") + " no events to send." }
    let unsent =
      completedUnsent == 0 ? "" : ", \(completedUnsent.grouped) completed without sending"
    let rest =
      left == 0
      ? "no events left."
      : "\(left.counted("event")) left: \(pending.grouped) pending, \(failed.grouped) failed "
        + "(\(failedForGood.grouped) permanently in this run)."
    return style(left == 0 ? .good : .changed, heading + ":")
      + " \(count.counted("event")) accepted by the server\(unsent); " + rest
  }

  private var heading: String {
    switch signal {
    case .interrupt: "Stopped by SIGINT"
    case .terminate: "Stopped by SIGTERM"
    case nil:
      if count > 0 {
        left == 0 ? "Delivered" : "Delivered in part"
      } else {
        left == 0 ? "Completed" : "Not delivered"
      }
    }
  }
}
