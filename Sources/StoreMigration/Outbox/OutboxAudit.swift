import JSONText
import SQLite
import StoreFormat
import StoreModel

/// Looks at the outbox rows of a plan for what the app will do with them.
///
/// The rows are written as the migration documents them. The audit says, counted by event type,
/// which of them the shipped app would not deliver, and why; it sees them in the same pass as the
/// plan.
struct OutboxAudit {
  /// What one may have to know about a row.
  enum Concern: String, CaseIterable {
    case unroutable = "event-type-unroutable"
    case neverFetched = "status-processing"
    case otherEntity = "payload-names-another-entity"
    case otherUser = "payload-names-another-user"
    case secret = "secret-in-metadata"
  }

  private let eventType: Int
  private let status: Int
  private let id: Int

  /// The column of the payload.
  let payload: Int
  private let owner: [UInt8]?
  private var counts: [Concern: [String: Int64]] = [:]

  /// The audit of a program that turns the outbox's payloads into metadata; none for any other.
  init?(_ program: RowProgram, owner: Value?) {
    guard program.table.rootEntity == "SDOutboxEvent",
      program.conversions.contains(where: { $0.converter == .jsonText })
    else { return nil }
    func place(_ property: String) -> Int? {
      program.sourceProperties.firstIndex(of: property)
    }
    guard let eventType = place("eventType"), let status = place("status"), let id = place("id"),
      let payload = place("payload")
    else { return nil }
    self.eventType = eventType
    self.status = status
    self.id = id
    self.payload = payload
    self.owner = owner?.bytes
  }

  /// Looks at one row, the keys of whose payload are known; one that is no JSON text has none.
  mutating func look(at row: borrowing Statement, _ keys: PayloadKeys) {
    let type = row.string(at: eventType) ?? ""
    let present = row.string(at: status)
    let isOpen = present != "completed"
    if isOpen && !Self.routedTypes.contains(type) { note(.unroutable, type) }
    if present == "processing" { note(.neverFetched, type) }
    if keys.hasSecret { note(.secret, type) }
    guard isOpen else { return }
    let names = row.withBytes(at: payload) { PayloadNames($0, keys, of: type) }
    if let named = names.entity, uuidBytes(named) != row.bytes(at: id) { note(.otherEntity, type) }
    if let named = names.user, let owner, !Self.isSame(named, owner) { note(.otherUser, type) }
  }

  private mutating func note(_ concern: Concern, _ type: String) {
    // A type that no app wrote could be anything, somebody's words too: it isn't repeated.
    let shown = Self.knownTypes.contains(type) ? type : "other"
    counts[concern, default: [:]][shown, default: 0] += 1
  }

  private static func isSame(_ text: String, _ owner: [UInt8]) -> Bool {
    let canonical = uuidBytes(text).map(uuidText) ?? text
    return Array(canonical.utf8) == owner
  }

  /// What was seen, as warnings of a plan.
  var warnings: [PlanWarning] {
    Concern.allCases.compactMap { concern in
      guard let types = counts[concern] else { return nil }
      return PlanWarning(
        code: concern.rawValue, rows: types.values.reduce(0, +), message: concern.message,
        eventTypes: types)
    }
  }
}

extension OutboxAudit.Concern {
  fileprivate var message: String {
    switch self {
    case .unroutable:
      "the app can't route events of these types, and one of them in the queue stops all others; "
        + "'--rows deliverable' writes rows that it sends"
    case .neverFetched:
      "the app never takes up events that are being processed; "
        + "'--rows deliverable' makes them pending"
    case .otherEntity:
      "the payload names an entity, and the row will name the event itself; "
        + "'--rows deliverable' takes the payload's"
    case .otherUser:
      "the payload names another user than the row will; "
        + "'--rows deliverable' takes the payload's"
    case .secret:
      "the payload holds a password or token that will be readable in the metadata; "
        + "'--rows deliverable' keeps these rows out"
    }
  }
}

extension OutboxAudit {
  /// The event types that the V7 app handles.
  fileprivate static let routedTypes: Set<String> = [
    "moodEntry", "journalEntry", "goal", "chatMessage",
  ]

  /// The event types that some version of the apps wrote or planned to write.
  static let knownTypes: Set<String> = routedTypes.union([
    "mood.created", "mood.updated", "mood.deleted", "journal.created", "journal.updated",
    "journal.deleted", "journal.create", "journal.update", "journal.delete", "goal.created",
    "goal.updated", "goal.progress_updated", "goal.status_updated", "goal.deleted",
    "conversation.delete", "auth.register", "auth.login", "auth.refresh", "auth.logout",
    "chat.message.send", "chat.conversation.deleted", "user.profile_updated", "mood_created",
    "progressEntry", "physicalAttribute", "activitySnapshot", "profileMetadata",
    "profilePhysical", "sleepSession", "mealLog", "workout", "workoutTemplate",
  ])
}

/// The names in a payload that its row should agree with.
private struct PayloadNames {
  var entity: String?
  var user: String?

  init(_ payload: Span<UInt8>, _ keys: PayloadKeys, of eventType: String) {
    entity = keys.place(of: Self.entityKeys(eventType)).flatMap { Self.text(payload, at: $0) }
    if keys.lastUser != 0 { user = Self.text(payload, at: keys.lastUser) }
  }

  /// The string that begins at a place, its escapes as they are; none for a value of another type.
  private static func text(_ payload: Span<UInt8>, at place: Int) -> String? {
    payload.jsonString(at: place).map {
      String(decoding: Array(copying: payload.extracting($0)), as: UTF8.self)
    }
  }

  /// The keys under which the payloads of an event type name their entity, the best first.
  private static func entityKeys(_ eventType: String) -> [PayloadKey] {
    switch eventType {
    case "mood.deleted", "journal.deleted", "goal.deleted":
      [.localID, .localIDInCamelCase, .id]
    case "journal.create", "journal.update", "journal.delete":
      [.entryIDInCamelCase, .entryID, .id]
    case "conversation.delete", "chat.conversation.deleted":
      [.conversationID, .conversationIDInCamelCase]
    case "chat.message.send": [.messageID, .messageIDInCamelCase]
    case "auth.register", "auth.login", "auth.refresh", "auth.logout": []
    default: [.id]
    }
  }
}
