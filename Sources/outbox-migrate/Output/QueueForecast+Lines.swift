import OutboxFormat
import SafeText
import StoreModel

extension QueueForecast {
  /// Returns what the app would do: the counts, and the first rows.
  func lines(_ style: Style) -> [String] {
    if open == 0 { return ["", "Queue: nothing to send"] }
    let parts = Step.allCases.compactMap { step in
      steps[step].map { "\($0.grouped) \(step.rawValue)" }
    }
    let left = open - steps.values.reduce(0, +)
    let more = left == 0 ? [] : ["\(left.grouped) not picked up"]
    let head = ["", "Queue: \(open.counted("row"))   \((parts + more).joined(separator: " · "))"]
    if isStopped {
      return head + [
        "  " + style(.bad, "The app sends nothing, because it can't read the whole queue.")
      ]
    }
    let shown = batch.prefix(Self.shownLimit).map { entry -> [Cell] in
      [Cell("SDOutboxEvent/\(entry.key)"), Cell(entry.eventType ?? "-"), Cell(entry.step.rawValue)]
    }
    let rest = open - Int64(shown.count)
    return head + Columns(rows: Array(shown)).lines(style)
      + (rest > 0 ? ["  and \(rest.counted("more row"))"] : [])
  }

  private static let shownLimit = 8
}
