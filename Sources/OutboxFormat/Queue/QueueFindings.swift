import StoreModel

/// What was found in a queue so far, in constant memory: the first rows by name, the others counted.
struct QueueFindings {
  private var named: [QueueForecast.Check: [String]] = [:]
  private var more: [QueueForecast.Check: Int64] = [:]

  /// The most rows that are named for a check.
  private static let limit = 10

  /// Notes a problem of a row of an app's.
  mutating func note(
    _ problem: QueueProblem, _ key: Int64, _ app: OutboxApp, isUndecodable: Bool = false
  ) {
    let check = problem.check
    guard named[check, default: []].count < Self.limit else {
      more[check, default: 0] += 1
      return
    }
    var predicate = problem.predicate(in: app)
    if app == .fitIQ, problem == .missingEntity, isUndecodable {
      predicate += ", and its metadata can't say that it deletes"
    }
    named[check, default: []].append("SDOutboxEvent/\(key) \(predicate)")
  }

  var lines: [QueueForecast.Check: [String]] {
    var lines = named
    for (check, count) in more {
      lines[check, default: []].append("and \(counted(count, "more row", "more rows"))")
    }
    return lines
  }
}
