import OutboxCore
import StoreModel

/// The findings of a queue, in constant memory: the first rows are named, the others counted.
struct QueueFindings {
  private var named: [QueueForecast.Check: [String]] = [:]
  private var more: [QueueForecast.Check: Int64] = [:]

  /// The maximum number of rows named per check.
  private static let limit = 10

  /// Adds a problem of a row in an app's queue.
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
