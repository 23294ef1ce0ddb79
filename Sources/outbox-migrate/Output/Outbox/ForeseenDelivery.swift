import SafeText
import StoreModel
import JSONText
import OutboxCore
import OutboxStore

/// The report of `outbox deliver --dry-run` on one store.
struct ForeseenDelivery: Report {
  let path: String
  let forecast: DeliveryForecast

  /// The requests in the order of the event types.
  private var requests: [(type: String, requests: DeliveryForecast.Requests)] {
    OutboxEventType.allCases.compactMap { type in
      forecast.requests[type].map { (type.rawValue, $0) }
    }
  }

  private var failures: [(message: String, count: Int)] {
    forecast.failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
  }

  var members: [JSONValue.Member] {
    [
      .init("store", .string(path)), .init("dry_run", true),
      .init("open", JSONValue(forecast.open)),
      .init(
        "requests",
        JSONValue(requests) { type, requests in
          [
            "event_type": .string(type), "create": JSONValue(requests.create),
            "update": JSONValue(requests.update), "delete": JSONValue(requests.delete),
          ]
        }), .init("would_send", JSONValue(forecast.requestCount)),
      .init("would_complete_without_sending", JSONValue(forecast.completedUnsent)),
      .init("would_fail", JSONValue(forecast.failureCount)),
      .init("not_tried", JSONValue(forecast.untried)),
      .init(
        "reasons", JSONValue(failures) { ["message": .string($0), "count": JSONValue($1)] }),
    ]
  }

  func lines(_ style: Style) -> [String] {
    let head: [Cell] = ["", "create", "update", "delete"]
    let table = Columns(
      rows: [head]
        + requests.map { type, requests in
          [Cell(type)]
            + [requests.create, requests.update, requests.delete].map { Cell($0.grouped) }
        }, rightAligned: [1, 2, 3])
    let reasons = Columns(
      rows: failures.map { [Cell($1.counted("event")), Cell($0, .bad)] }, rightAligned: [0])
    return Columns(rows: [["Store", Cell(path)]], indent: 0).lines(style)
      + (requests.isEmpty ? [] : [""] + table.lines(style))
      + (failures.isEmpty ? [] : ["", "Would fail"] + reasons.lines(style)) + ["", sentence]
  }

  private var sentence: String {
    "\(forecast.open.counted("open event")): \(forecast.requestCount.counted("request")) would be sent, "
      + "\(forecast.completedUnsent.grouped) completed without sending, "
      + "\(forecast.failureCount.grouped) would fail, \(forecast.untried.grouped) wouldn't be tried. "
      + "Nothing has been sent or written."
  }
}
