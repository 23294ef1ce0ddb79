import OutboxFormat
import SQLite
import StoreFormat

extension QueueForecast {
  /// The checks in the form of a verify report.
  var checks: [VerifyReport.Check] {
    Check.allCases.map { check in
      let details = findings[check, default: []]
      return VerifyReport.Check(
        name: check.rawValue, isPassed: details.isEmpty, details: details)
    }
  }
}

extension PlanWarning {
  /// Returns the warning about rows that stop the app's queue.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - origin: The run that made the store.
  ///   - connection: A connection to the store.
  /// - Returns: The warning; `nil` if no row stops the queue, or if there is no queue.
  /// - Throws: An error if the outbox or the receipt can't be read.
  static func stoppedQueue(
    of store: StoreDescription, _ origin: Origin?, _ connection: borrowing Connection
  ) throws -> PlanWarning? {
    guard let model = store.cachedModel,
      let check = QueueCheck(store.layout(of: model))
    else { return nil }
    let types = try check.unknownTypes(connection)
    guard !types.isEmpty else { return nil }
    let advice =
      try origin?.couldWriteQueue == true
      ? "'apply --rows deliverable' writes rows that it can send"
      : "'verify --deliverable' names them"
    return PlanWarning(
      code: "event-type-unroutable", rows: types.values.reduce(0, +),
      message: "the app doesn't know these event types, and one of them in the queue stops all "
        + "others; \(advice)", eventTypes: types)
  }
}
