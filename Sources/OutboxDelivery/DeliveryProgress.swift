import Processes
import OutboxCore
import JSONText
import OutboxStore
import Platform

/// Shows on standard error how far a delivery is.
struct DeliveryProgress: Sendable {
  /// The form in which progress is shown.
  enum Form: String, Hashable, Sendable {
    /// Lines of JSON.
    case lines

    /// One line of a terminal from the first second on, which is rewritten and at last erased.
    case bar
  }

  private static let interval = Duration.milliseconds(500)

  private let form: Form
  private let store: String
  private let tally: DeliveryTally
  private let start = ContinuousClock.now

  init(_ form: Form, of store: String, _ tally: DeliveryTally) {
    self.form = form
    self.store = store
    self.tally = tally
  }

  /// Shows the progress of a delivery until it ends, twice a second.
  func showing(
    _ delivery: @Sendable () async throws -> DeliverySummary
  ) async throws -> DeliverySummary {
    let updates = Task {
      while true {
        try await Task.sleep(for: Self.interval)
        show()
      }
    }
    func end() async {
      updates.cancel()
      _ = await updates.result
      if form == .bar { write("\r\u{1b}[2K") }
    }
    do {
      let summary = try await delivery()
      await end()
      if form == .lines { writeLine("end", more: [.init("outcome", .string(summary.outcome))]) }
      return summary
    } catch {
      await end()
      throw error
    }
  }

  private func show() {
    switch form {
    case .lines: writeLine("progress", more: [])
    case .bar:
      let elapsed = ContinuousClock.now - start
      guard elapsed >= .seconds(1) else { return }
      let line = line(tally.counts, after: elapsed)
      let width = StandardStream.error.terminalWidth ?? 80
      write("\r\u{1b}[2K" + line.prefix(max(0, width - 1)))
    }
  }

  /// The line of a terminal: what has ended, of how many events, and the time that is left.
  private func line(_ counts: DeliveryTally.Counts, after elapsed: Duration) -> String {
    let (ended, open) = (counts.endedCount, counts.open)
    var text = "Delivering: \(ended) of \(open) events"
    if counts.failedAttempts > 0 { text += ", failed attempts: \(counts.failedAttempts)" }
    if ended > 0, ended < open {
      let left = elapsed / Double(ended) * Double(open - ended)
      text += ", about \(left.components.seconds + 1) s left"
    }
    return text
  }

  private func writeLine(_ event: String, more: [JSONValue.Member]) {
    let counts = tally.counts
    let duration = ContinuousClock.now - start
    let members: [JSONValue.Member] = [
      .init("event", .string(event)), .init("store", .string(store)),
      .init("open", JSONValue(counts.open)), .init("delivered", JSONValue(counts.deliveredCount)),
      .init("completed_without_sending", JSONValue(counts.completedUnsent)),
      .init("failed_attempts", JSONValue(counts.failedAttempts)),
      .init("duration_ms", JSONValue(Int(duration / .milliseconds(1)))),
    ]
    write(JSONValue.object(members + more).text() + "\n")
  }

  private func write(_ text: String) {
    // A failure to show progress doesn't stop the delivery.
    try? StandardStream.error.write(text)
  }
}

extension DeliverySummary {
  /// The outcome in one word: whether the delivery was stopped, or left events.
  fileprivate var outcome: String {
    isStopped ? "stopped" : statistics.openCount > 0 ? "left" : "done"
  }
}
