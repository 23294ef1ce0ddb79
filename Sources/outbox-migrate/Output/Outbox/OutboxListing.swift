import SafeText
import SQLite
import JSONText
import OutboxCore
import OutboxStore
import StoreModel
import StoreProof

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The report of `outbox list` on one store.
struct OutboxListing: Report {
  let path: String
  let rows: [OutboxRow]

  /// A Boolean value indicating whether there are more rows than the limit.
  let hasMore: Bool
  let mask: ValueMask

  var members: [JSONValue.Member] {
    [
      .init("store", .string(path)), .init("rows", JSONValue(rows) { json($0) }),
      .init("more", .bool(hasMore)),
    ]
  }

  func lines(_ style: Style) -> [String] {
    let table = Columns(
      rows: [["row", "type", "status", "attempts", "priority", "operation", "entity", "user", ""]]
        + rows.map(cells), rightAligned: [3, 4])
    return (rows.isEmpty ? ["No matching events."] : table.lines(style))
      + (hasMore ? ["  there are more rows; to list them, raise '--limit'"] : [])
  }

  private func cells(_ row: OutboxRow) -> [Cell] {
    let name = Cell("\(OutboxTable.entity)/\(row.key)")
    guard let event = row.event else {
      return [name, Cell("can't be read: " + row.problems.map(\.rawValue).joined(separator: ", "))]
    }
    let more = mask.showsValues ? detail(event) : []
    return [
      name, Cell(event.eventType.rawValue), Cell(event.status.rawValue, event.status.tone),
      Cell("\(event.attemptCount)/\(event.maxAttempts)"), Cell("\(event.priority)"),
      Cell(event.operation), Cell(fingerprint(event.entityID, "entityID")),
      Cell(mask.user(event.userID)),
    ] + more + (row.hasUnknownMetadata ? ["unknown metadata coding"] : [])
  }

  private func detail(_ event: OutboxEvent) -> [Cell] {
    [
      Cell("id \(fingerprint(event.id, "id"))"),
      Cell("created \(event.createdAt.internetText ?? "out of range")"),
      Cell(text(event.errorMessage, "errorMessage") ?? ""),
    ]
  }

  private func fingerprint(_ id: UUID, _ attribute: String) -> String {
    mask.fingerprint(of: .blob(id.bytes), named: "SDOutboxEvent.\(attribute)", type: .uuid)
      .shortText
  }

  private func text(_ text: String?, _ attribute: String) -> String? {
    text.map { mask.fingerprint(of: .text($0), named: "SDOutboxEvent.\(attribute)").shortText }
  }

  private func date(_ date: Date?) -> JSONValue {
    mask.showsValues ? JSONValue(date?.internetText) : .null
  }

  private func json(_ row: OutboxRow) -> JSONValue {
    let head = [JSONValue.Member("key", .int(row.key))]
    guard let event = row.event else {
      return .object(
        head + [.init("problems", JSONValue(row.problems) { .string($0.rawValue) })])
    }
    return .object(
      head + [
        .init("problems", []), .init("id", .string(fingerprint(event.id, "id"))),
        .init("event_type", .string(event.eventType.rawValue)),
        .init("status", .string(event.status.rawValue)), .init("does", .string(event.operation)),
        .init("entity", .string(fingerprint(event.entityID, "entityID"))),
        .init("user", .string(mask.user(event.userID))),
        .init("attempts", JSONValue(event.attemptCount)),
        .init("max_attempts", JSONValue(event.maxAttempts)),
        .init("priority", JSONValue(event.priority)),
        .init("created_at", date(event.createdAt)),
        .init("last_attempt_at", date(event.lastAttemptAt)),
        .init("completed_at", date(event.completedAt)),
        .init("error", JSONValue(text(event.errorMessage, "errorMessage"))),
        .init("metadata", JSONValue(text(try? event.metadata?.text, "metadata"))),
        .init("unknown_metadata", .bool(row.hasUnknownMetadata)),
      ])
  }
}

extension OutboxEvent {
  /// The operation that it requests from the server.
  fileprivate var operation: String {
    metadata?.deletion != nil ? "delete" : isNewRecord ? "create" : "update"
  }
}

extension OutboxEventStatus {
  fileprivate var tone: Style.Tone {
    switch self {
    case .pending: .plain
    case .processing: .changed
    case .completed: .good
    case .failed: .bad
    }
  }
}
