import StoreModel

/// What was found in a queue so far, in constant memory: the first rows by name, the others counted.
struct QueueFindings {
  private var named: [QueueForecast.Check: [String]] = [:]
  private var more: [QueueForecast.Check: Int64] = [:]

  /// The most rows that are named for a check.
  private static let limit = 10

  mutating func note(_ check: QueueForecast.Check, _ problem: String, _ key: Int64) {
    guard named[check, default: []].count < Self.limit else {
      more[check, default: 0] += 1
      return
    }
    named[check, default: []].append("SDOutboxEvent/\(key) \(problem)")
  }

  var lines: [QueueForecast.Check: [String]] {
    var lines = named
    for (check, count) in more {
      lines[check, default: []].append("and \(counted(count, "more row", "more rows"))")
    }
    return lines
  }
}
