import TestSupport
import Foundation
import SQLite
import StoreFormat
import StoreModel
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// A reference for `--rows deliverable`: the fate of each row of a V6 outbox, computed slowly and
/// obviously, over dictionaries, with Foundation, from the table of event types.
///
/// It shares nothing with the engine except the reading of archives.
struct DeliverableReference {
  /// The fate of a row.
  enum Fate: Equatable, CustomStringConvertible {
    case row([String: Value])
    case quarantined(String)
    case cancelled
    case folded(into: Int64)

    var description: String {
      switch self {
      case .row(let row): "row of \(row.count) columns"
      case .quarantined(let reason): "quarantined \(reason)"
      case .cancelled: "cancelled"
      case .folded(let key): "folded \(key)"
      }
    }
  }

  private struct Kind {
    let type: String
    let table: String
    var deed: String
  }

  private struct Event {
    let key: Int64
    let created: Double
    let kind: Kind
    let isOpen: Bool
    let entity: String
    var user: String?
    var backendID: String?
    var payload: [String: Any] = [:]

    /// The columns of a row that the V7 app wrote; `nil` for other rows.
    var written: [String: Value]?

    var isDelete: Bool { kind.deed == "delete" }

    var needsNoDeleting: Bool {
      isDelete && backendID == nil && kind.type != "chatMessage"
    }

    func isBefore(_ other: Event) -> Bool { (created, key) < (other.created, other.key) }
  }

  private static let kinds: [String: Kind] = {
    var kinds: [String: Kind] = [:]
    func add(_ type: String, _ table: String, _ deed: String, _ names: [String]) {
      for name in names { kinds[name] = Kind(type: type, table: table, deed: deed) }
    }
    add("moodEntry", "ZSDMOODENTRY", "create", ["mood.created"])
    add("moodEntry", "ZSDMOODENTRY", "update", ["mood.updated"])
    add("moodEntry", "ZSDMOODENTRY", "delete", ["mood.deleted"])
    add("journalEntry", "ZSDJOURNALENTRY", "create", ["journal.created", "journal.create"])
    add("journalEntry", "ZSDJOURNALENTRY", "update", ["journal.updated", "journal.update"])
    add("journalEntry", "ZSDJOURNALENTRY", "delete", ["journal.deleted", "journal.delete"])
    add("goal", "ZSDGOAL", "create", ["goal.created"])
    add(
      "goal", "ZSDGOAL", "update",
      ["goal.updated", "goal.progress_updated", "goal.status_updated"])
    add("goal", "ZSDGOAL", "delete", ["goal.deleted"])
    add(
      "chatMessage", "ZSDCHATCONVERSATION", "delete",
      ["conversation.delete", "chat.conversation.deleted"])
    return kinds
  }()

  /// The default of the additive edition's model for rows without a value.
  private static let placeholder = "E8E4B518-B6CF-4182-94D6-E320C4E5DD61"
  private static let statuses = ["pending", "processing", "failed", "completed"]

  private let outbox: [[String: Value]]
  private let owner: String
  private var live: [String: [String: [String: Value]]] = [:]
  private var events: [Int64: Event] = [:]

  init(_ path: String, owner: String) throws {
    outbox = try rows(of: "ZSDOUTBOXEVENT", in: path)
    self.owner = owner
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let tables = Set(
      try connection.rows("SELECT name FROM sqlite_schema").compactMap { $0[0].string })
    for table in ["ZSDMOODENTRY", "ZSDJOURNALENTRY", "ZSDGOAL", "ZSDCHATCONVERSATION"]
    where tables.contains(table) {
      for row in try rows(of: table, in: path) {
        guard let id = row["ZID"]?.bytes else { continue }
        live[table, default: [:]][uuidText(id)] = row
      }
    }
    for row in outbox {
      if let event = Self.isWritten(row) ? Self.written(row) : Self.event(row) {
        events[event.key] = event
      }
    }
  }

  /// The fate of each row, by key.
  func fates() -> [Int64: Fate] {
    Dictionary(uniqueKeysWithValues: outbox.map { ($0.key, fate($0)) })
  }

  private static func event(_ row: [String: Value]) -> Event? {
    guard let kind = kinds[row["ZEVENTTYPE"]?.string ?? ""], let status = row["ZSTATUS"]?.string,
      statuses.contains(status), let bytes = row["ZPAYLOAD"]?.bytes,
      !bytes.starts(with: [0xEF, 0xBB, 0xBF]),
      let payload = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    else { return nil }
    let names: [String] =
      switch kind.type {
      case "chatMessage": ["conversation_id", "conversationId"]
      case _ where kind.deed == "delete": ["local_id", "localId", "entry_id", "entryId", "id"]
      case _: ["id", "entry_id", "entryId"]
      }
    guard let name = names.compactMap({ payload[$0] as? String }).first,
      UUID(uuidString: name) != nil
    else { return nil }
    let user = (payload["user_id"] ?? payload["userId"]) as? String
    let id = (payload["backend_id"] ?? payload["backendId"]) as? String
    return Event(
      key: row.key, created: row["ZCREATEDAT"]?.number ?? 0, kind: kind,
      isOpen: status != "completed", entity: name.uppercased(),
      user: user.flatMap(UUID.init(uuidString:))?.uuidString,
      backendID: id == "" || id == "none" ? nil : id, payload: payload)
  }

  /// Only an edition with V7's columns has such rows.
  private static func isWritten(_ row: [String: Value]) -> Bool {
    row["ZENTITYID"] != nil && kinds.values.contains { $0.type == row["ZEVENTTYPE"]?.string }
  }

  private static func written(_ row: [String: Value]) -> Event? {
    guard let id = row["ZENTITYID"]?.bytes, id.count == 16, uuidText(id) != placeholder,
      let status = row["ZSTATUS"]?.string, statuses.contains(status),
      var kind = kinds.values.first(where: { $0.type == row["ZEVENTTYPE"]?.string })
    else { return nil }
    let bytes = row["ZMETADATA"]?.bytes ?? []
    let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    if !bytes.isEmpty, object == nil { return nil }
    let data = object?["type"] as? String == "generic" ? object?["data"] as? [String: String] : nil
    let isDelete = data?["operation"] == "delete"
    kind.deed = isDelete ? "delete" : row["ZISNEWRECORD"] == 1 ? "create" : "update"
    if kind.type == "chatMessage" {
      kind.deed = "delete"
      let names = UUID(uuidString: data?["conversationId"] ?? "") != nil
      if status != "completed", !(isDelete && names) { return nil }
    }
    let id2 = isDelete ? data?["backendId"] : nil
    return Event(
      key: row.key, created: row["ZCREATEDAT"]?.number ?? 0, kind: kind,
      isOpen: status != "completed", entity: uuidText(id),
      user: UUID(uuidString: row["ZUSERID"]?.string ?? "")?.uuidString,
      backendID: id2 == "" || id2 == "none" ? nil : id2, written: row)
  }

  private func fate(_ row: [String: Value]) -> Fate {
    let type = row["ZEVENTTYPE"]?.string ?? ""
    guard Self.kinds[type] != nil || Self.isWritten(row) else {
      if type.hasPrefix("auth.") { return .quarantined("account") }
      return .quarantined(type == "chat.message.send" ? "chat-message" : "unknown-type")
    }
    guard let event = events[row.key] else {
      return .quarantined("undecodable-payload")
    }
    let entity = live(event)
    if event.isOpen {
      if let fate = entity == nil ? withoutEntity(event) : withEntity(event) { return fate }
    }
    return .row(event.written == nil ? delivered(row, event, entity) : kept(row, event, entity))
  }

  private func live(_ event: Event) -> [String: Value]? {
    live[event.kind.table]?[event.entity]
  }

  private func ownerOfEntity(_ event: Event) -> String? {
    live(event)?["ZUSERID"]?.bytes.flatMap { $0.count == 16 ? uuidText($0) : nil }
  }

  /// The user of a row: the user it names, otherwise the owner of its entity.
  private func user(_ event: Event) -> String? {
    event.user ?? (event.isDelete || !event.isOpen ? nil : ownerOfEntity(event))
  }

  private func isStranger(_ event: Event) -> Bool {
    guard event.isOpen, !event.isDelete, let user = event.user, let owner = ownerOfEntity(event)
    else { return false }
    return user != owner
  }

  /// The rows about the same entity without those of other users, sorted by date.
  private func others(_ event: Event) -> [Event] {
    events.values.filter { other in
      other.entity == event.entity && other.kind.table == event.kind.table && !isStranger(other)
        && (user(other) == nil || user(event) == nil || user(other) == user(event))
    }.sorted { $0.isBefore($1) }
  }

  private func withoutEntity(_ event: Event) -> Fate? {
    let others = others(event)
    guard event.isDelete else {
      return others.contains { $0.isDelete && event.isBefore($0) }
        ? .cancelled : .quarantined(event.written == nil ? "only-copy" : "missing-entity")
    }
    func isAfterCreate(_ delete: Event) -> Bool {
      delete.needsNoDeleting
        && others.contains { $0.isOpen && $0.kind.deed == "create" && $0.isBefore(delete) }
    }
    if isAfterCreate(event) { return .cancelled }
    if event.written != nil { return nil }
    let deletes = others.filter {
      $0.isOpen && $0.isDelete && $0.written == nil && user($0) == user(event)
    }
    let named = deletes.filter {
      $0.backendID != nil && (event.backendID == nil || event.backendID == $0.backendID)
    }
    let twin = named.last ?? deletes.last { $0.backendID == nil && !isAfterCreate($0) }
    return twin.flatMap { $0.key == event.key ? nil : .folded(into: $0.key) }
  }

  private func withEntity(_ event: Event) -> Fate? {
    if event.isDelete { return .quarantined("superseded-delete") }
    if isStranger(event) { return .quarantined("other-owner") }
    guard let last = lastUpdate(event), last.key != event.key else { return nil }
    return .folded(into: last.key)
  }

  /// The update that an update of a goal is folded into.
  private func lastUpdate(_ event: Event) -> Event? {
    guard event.kind.type == "goal", event.kind.deed == "update", event.written == nil else {
      return nil
    }
    return others(event).last {
      $0.isOpen && $0.kind.deed == "update" && $0.written == nil && user($0) == user(event)
    }
  }

  /// Whether a row that is sent before this one gives the entity its id on the server.
  private func isRepeated(_ event: Event) -> Bool {
    if live(event).map({ $0["ZBACKENDID"] != .null }) ?? false { return true }
    return event.isOpen
      && others(event).contains { other in
        guard other.isOpen, !other.isDelete, other.isBefore(event) else { return false }
        return lastUpdate(other).map { $0.key == other.key } ?? true
      }
  }

  private static let copied = [
    "Z_PK", "Z_OPT", "ZID", "ZCREATEDAT", "ZLASTATTEMPTAT", "ZCOMPLETEDAT", "ZERRORMESSAGE",
  ]

  private func delivered(
    _ old: [String: Value], _ event: Event, _ entity: [String: Value]?
  ) -> [String: Value] {
    var new = old.filter { Self.copied.contains($0.key) }
    new["ZEVENTTYPE"] = .text(event.kind.type)
    new["ZSTATUS"] = old["ZSTATUS"] == "processing" ? "pending" : old["ZSTATUS"]
    new["ZATTEMPTCOUNT"] = old["ZRETRYCOUNT"]
    new["ZMAXATTEMPTS"] = 5
    new["ZENTITYID"] = .blob(uuidBytes(event.entity) ?? [])
    new["ZUSERID"] = .text(event.user ?? ownerOfEntity(event) ?? owner)
    new["ZPRIORITY"] = event.isDelete && event.kind.type != "chatMessage" ? 10 : 5
    new["ZISNEWRECORD"] = event.kind.deed == "create" && !isRepeated(event) ? 1 : 0
    new["ZMETADATA"] = metadata(event, entity).map { .text(canonical($0)) } ?? .null
    return new
  }

  /// Repairs a row that the V7 app wrote, so that the app sends it correctly.
  private func kept(
    _ old: [String: Value], _ event: Event, _ entity: [String: Value]?
  ) -> [String: Value] {
    var new = old.filter { !["ZPAYLOAD", "ZRETRYCOUNT"].contains($0.key) }
    new["Z_ENT"] = nil
    new["ZSTATUS"] = old["ZSTATUS"] == "processing" ? "pending" : old["ZSTATUS"]
    if old["ZATTEMPTCOUNT"] == 0 { new["ZATTEMPTCOUNT"] = old["ZRETRYCOUNT"] }
    if old["ZUSERID"] == "" {
      new["ZUSERID"] = .text(ownerOfEntity(event) ?? owner)
    } else if event.isOpen, let user = event.user ?? ownerOfEntity(event) {
      new["ZUSERID"] = .text(user)
    }
    if event.isOpen, event.kind.deed == "create", isRepeated(event) { new["ZISNEWRECORD"] = 0 }
    if let bytes = old["ZMETADATA"]?.bytes,
      let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    {
      var kept = object
      if event.isOpen, event.needsNoDeleting,
        (object["data"] as? [String: String])?["backendId"] != nil
      {
        kept["data"] = ["operation": "delete"]
      }
      new["ZMETADATA"] = .text(canonical(kept))
    }
    return new
  }

  private func metadata(_ event: Event, _ entity: [String: Value]?) -> [String: Any]? {
    switch (event.kind.type, event.kind.deed) {
    case ("chatMessage", _):
      return [
        "type": "generic", "data": ["operation": "delete", "conversationId": event.entity],
      ]
    case (_, "delete"):
      var data = ["operation": "delete"]
      data["backendId"] = event.backendID
      return ["type": "generic", "data": data]
    case ("moodEntry", _):
      guard let valence = entity?["ZVALENCE"]?.number ?? event.payload["valence"] as? Double,
        let labels = entity?["ZLABELS"].flatMap(labels) ?? event.payload["labels"] as? [String]
      else { return nil }
      return ["type": "moodEntry", "valence": valence, "labels": labels]
    case ("journalEntry", _):
      guard let content = entity?["ZCONTENT"]?.text ?? event.payload["content"] as? String else {
        return nil
      }
      var said: [String: Any] = [
        "type": "journalEntry",
        "wordCount": content.components(separatedBy: " ").filter { !$0.isEmpty }.count,
      ]
      let mood = (event.payload["linked_mood_id"] ?? event.payload["linkedMoodId"]) as? String
      said["linkedMoodID"] =
        switch entity?["ZLINKEDMOODID"] {
        case .null?: nil
        case .blob(let id)? where id.count == 16: uuidText(id)
        default: mood?.uppercased()
        }
      return said
    default:
      guard let title = entity?["ZTITLE"]?.text ?? event.payload["title"] as? String,
        let category = entity?["ZCATEGORY"]?.text ?? event.payload["category"] as? String
      else { return nil }
      return ["type": "goal", "title": title, "category": category]
    }
  }

  private func labels(_ archive: Value) -> [String]? {
    guard let bytes = archive.bytes,
      let list = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
        as? [String: Any],
      let objects = list["$objects"] as? [Any]
    else { return nil }
    // The texts of such an archive are in the order of the array, after the archiver's own texts.
    // Equal texts would occur only once, but no fixture's list has any.
    return objects.compactMap { $0 as? String }.filter { $0 != "$null" }
  }
}

extension DeliverableReference.Fate {
  /// Describes how a found fate differs from this one; `nil` if they are equal.
  ///
  /// The order of the metadata's keys doesn't matter, nor the entity's number: it is the target's.
  func difference(to found: DeliverableReference.Fate?) -> String? {
    guard case .row(let expected) = self, case .row(let row)? = found else {
      return self == found ? nil : "\(found.map { "\($0)" } ?? "nothing") instead of \(self)"
    }
    var found = row
    if let text = row["ZMETADATA"]?.bytes,
      let object = try? JSONSerialization.jsonObject(with: Data(text))
    {
      found["ZMETADATA"] = .text(canonical(object))
    }
    found["Z_ENT"] = nil
    let names = Set(expected.keys).union(found.keys).sorted()
    let others = names.filter { expected[$0] != found[$0] }.map {
      "\($0): \(found[$0]?.string ?? "\(found[$0] as Any)") instead of "
        + "\(expected[$0]?.string ?? "\(expected[$0] as Any)")"
    }
    return others.isEmpty ? nil : others.joined(separator: ", ")
  }
}

private func canonical(_ object: Any) -> String {
  let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
  return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
}

extension Value {
  fileprivate var number: Double? { double ?? int64.map(Double.init) }

  /// The text, or `nil` if the value has another storage class.
  fileprivate var text: String? { if case .text = self { string } else { nil } }
}

extension [String: Value] {
  /// The row's primary key.
  var key: Int64 { self["Z_PK"]?.int64 ?? 0 }
}
