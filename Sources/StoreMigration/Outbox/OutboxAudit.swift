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
  private let payload: Int
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

  /// Looks at one row.
  mutating func look(at row: borrowing Statement) {
    let type = row.string(at: eventType) ?? ""
    let present = row.string(at: status)
    let isOpen = present != "completed"
    if isOpen && !Self.routedTypes.contains(type) { note(.unroutable, type) }
    if present == "processing" { note(.neverFetched, type) }
    let names = row.withBytes(at: payload) { bytes in
      isJSONText(bytes) ? PayloadNames(bytes, keys: EntityKeys(type)) : PayloadNames()
    }
    if names.hasSecret { note(.secret, type) }
    guard isOpen else { return }
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

/// The keys under which the payloads of an event type name their entity, the best first.
private struct EntityKeys {
  let names: [[UInt8]]

  init(_ eventType: String) {
    let keys: [String] =
      switch eventType {
      case "mood.deleted", "journal.deleted", "goal.deleted": ["local_id", "localId", "id"]
      case "journal.create", "journal.update", "journal.delete": ["entryId", "entry_id", "id"]
      case "conversation.delete", "chat.conversation.deleted":
        ["conversation_id", "conversationId"]
      case "chat.message.send": ["message_id", "messageId"]
      case "auth.register", "auth.login", "auth.refresh", "auth.logout": []
      default: ["id"]
      }
    names = keys.map { Array($0.utf8) }
  }
}

/// The names in a payload that its row should agree with.
private struct PayloadNames {
  var entity: String?
  var user: String?
  var hasSecret = false

  init() {}

  init(_ payload: Span<UInt8>, keys: EntityKeys) {
    var best = Int.max
    var (entity, user, hasSecret): (Range<Int>?, Range<Int>?, Bool) = (nil, nil, false)
    visitJSONKeys(of: payload) { key in
      if Self.secretKeys.contains(where: { payload.holds($0, as: key) }) { hasSecret = true }
      guard key.depth == 1 else { return }
      if let rank = keys.names.firstIndex(where: { payload.holds($0, as: key) }), rank < best {
        best = rank
        entity = payload.jsonString(at: key.valueStart)
      } else if Self.userKeys.contains(where: { payload.holds($0, as: key) }) {
        user = payload.jsonString(at: key.valueStart)
      }
    }
    self.entity = entity.map {
      String(decoding: Array(copying: payload.extracting($0)), as: UTF8.self)
    }
    self.user = user.map { String(decoding: Array(copying: payload.extracting($0)), as: UTF8.self) }
    self.hasSecret = hasSecret
  }

  private static let userKeys = ["user_id", "userId"].map { Array($0.utf8) }

  private static let secretKeys = [
    "password", "token", "access_token", "accessToken", "refresh_token", "refreshToken",
    "auth_token", "authToken", "api_key", "apiKey",
  ].map { Array($0.utf8) }
}
