import Migrations
import StoreFormat
import JSONText
import OutboxFormat
import SQLite
import StoreModel
import RowRewriting

/// Counts what the app will do with the outbox rows of a plan.
///
/// The rows are documented rows. The audit counts by event type which of them the shipped app
/// wouldn't deliver, and why. A plan counts them in its own pass, and `apply` in ``OutboxWarnings``.
struct OutboxAudit: Sendable {
  /// Something that you may have to know about a row.
  enum Concern: Int, CaseIterable {
    case unroutable, neverFetched, otherEntity, otherUser, secret
  }

  /// The columns of a query's rows that an audit reads.
  struct Columns {
    let eventType: Int
    let status: Int
    let id: Int
    let payload: Int
  }

  /// The columns of the rows.
  let columns: Columns

  private let owner: [UInt8]?
  private let ownerID: [UInt8]?

  /// For each concern, the number of rows of each event type; last, of types that no app wrote.
  private var counts: [[Int64]]

  /// Creates an audit; `nil` unless the program converts the outbox's payloads to metadata.
  ///
  /// - Parameters:
  ///   - program: The program that rewrites the rows.
  ///   - columns: The columns of the rows; by default those of the program's own query.
  ///   - owner: The owner of rows without one; `nil` if it isn't known.
  init?(_ program: RowProgram, columns: Columns? = nil, owner: Value?) {
    guard let own = Columns(program) else { return nil }
    self.columns = columns ?? own
    self.owner = owner?.bytes
    ownerID = owner?.string.flatMap(uuidBytes)
    counts = Concern.allCases.map { _ in [Int64](repeating: 0, count: EventKind.names.count + 1) }
  }

  /// Counts one row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - kind: The kind of its event; `nil` if no app wrote events of its type.
  ///   - keys: The keys of its payload; empty if the payload isn't JSON text.
  mutating func look(at row: borrowing Statement, _ kind: EventKind?, _ keys: PayloadKeys) {
    // A type that no app wrote could be any text, even a private one, so output doesn't repeat it.
    let place = kind?.index ?? EventKind.names.count
    let present = Self.statuses.place(of: row, at: columns.status)
    // The app doesn't pick up an event that is being processed, so it can't stop the queue.
    if present == 1 { note(.neverFetched, place) }
    if keys.hasSecret { note(.secret, place) }
    // The app doesn't send completed events again.
    guard present != 0 else { return }
    if present != 1, kind?.isRouted != true { note(.unroutable, place) }
    // A closure that reads 'self' copies it for every row.
    let (id, owner, ownerID) = (columns.id, owner, ownerID)
    let (isOtherEntity, isOtherUser) = row.withBytes(at: columns.payload) { text in
      (
        row.withBytes(at: id) { Self.names(otherThan: $0, in: text, keys, kind) },
        Self.namesOtherUser(than: owner, ownerID, in: text, keys)
      )
    }
    if isOtherEntity { note(.otherEntity, place) }
    if isOtherUser { note(.otherUser, place) }
  }

  private static let statuses = NameTable(["completed", "processing"])

  private mutating func note(_ concern: Concern, _ type: Int) {
    counts[concern.rawValue][type] += 1
  }

  private static func names(
    otherThan id: Span<UInt8>, in payload: Span<UInt8>, _ keys: PayloadKeys, _ kind: EventKind?
  ) -> Bool {
    guard let place = keys.place(of: kind?.entityKeys ?? [.id]),
      let name = payload.jsonString(at: place)
    else { return false }
    return !isUUID(payload.extracting(name), of: id)
  }

  private static func namesOtherUser(
    than owner: [UInt8]?, _ ownerID: [UInt8]?, in payload: Span<UInt8>, _ keys: PayloadKeys
  ) -> Bool {
    guard let owner, let place = keys.lastUser, let name = payload.jsonString(at: place) else {
      return false
    }
    let user = payload.extracting(name)
    if let ownerID, isUUID(user, of: ownerID.span) { return false }
    return isUUID(user) || !payload.holds(owner, at: name)
  }

  /// Adds the counts of other rows.
  mutating func add(_ other: OutboxAudit) {
    for (concern, types) in other.counts.enumerated() {
      for (type, count) in types.enumerated() { counts[concern][type] += count }
    }
  }

  /// The counts as warnings of a plan.
  var warnings: [PlanWarning] {
    Concern.allCases.compactMap { concern in
      var types: [String: Int64] = [:]
      for (type, count) in counts[concern.rawValue].enumerated() where count > 0 {
        types[type < EventKind.names.count ? EventKind.names[type] : EventKind.otherName] = count
      }
      guard !types.isEmpty else { return nil }
      return PlanWarning(
        code: concern.code, rows: types.values.reduce(0, +), message: concern.message,
        eventTypes: types)
    }
  }
}

extension OutboxAudit.Columns {
  /// Finds the columns in a program's query; `nil` unless it converts the outbox's payloads.
  init?(_ program: RowProgram) {
    guard program.table.rootEntity == "SDOutboxEvent",
      program.conversions.contains(where: { $0.converter == .jsonText })
    else { return nil }
    func place(_ property: String) -> Int? {
      program.sourceProperties.firstIndex(of: property)
    }
    guard let eventType = place("eventType"), let status = place("status"), let id = place("id"),
      let payload = place("payload")
    else { return nil }
    self.init(eventType: eventType, status: status, id: id, payload: payload)
  }
}

extension OutboxAudit.Concern {
  fileprivate var code: String {
    switch self {
    case .unroutable: "event-type-unroutable"
    case .neverFetched: "status-processing"
    case .otherEntity: "payload-names-another-entity"
    case .otherUser: "payload-names-another-user"
    case .secret: "secret-in-metadata"
    }
  }

  fileprivate var message: String {
    switch self {
    case .unroutable:
      "the app doesn't know these event types, and one of them in the queue stops all others; "
        + "'--rows deliverable' writes rows that it can send"
    case .neverFetched:
      "the app never resumes events that are being processed; "
        + "'--rows deliverable' resets them to pending"
    case .otherEntity:
      "the payload names an entity, but the new row will name the event itself; "
        + "'--rows deliverable' uses the payload's"
    case .otherUser:
      "the payload names a user other than the new row's; "
        + "'--rows deliverable' uses the payload's"
    case .secret:
      "the payload contains a password or token, which will be readable in the metadata; "
        + "'--rows deliverable' puts these rows into quarantine"
    }
  }
}
