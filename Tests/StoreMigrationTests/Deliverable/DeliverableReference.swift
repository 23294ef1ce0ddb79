import Foundation
import SQLite
import StoreFormat
import StoreModel

/// What becomes of the rows of a V6 outbox in the form that the app sends, stated slowly and obviously:
/// over dictionaries, with Foundation, from the table of event types.
///
/// It shares nothing with the engine but the reading of archives.
struct DeliverableReference {
  /// What becomes of a row.
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
    let deed: String
  }

  private struct Event {
    let key: Int64
    let created: Double
    let kind: Kind
    let isOpen: Bool
    let entity: String
    let payload: [String: Any]

    var backendID: String? {
      let id = (payload["backend_id"] ?? payload["backendId"]) as? String
      return id == "" || id == "none" ? nil : id
    }
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
    for row in outbox { if let event = Self.event(row) { events[event.key] = event } }
  }

  /// What becomes of each row, by key.
  func fates() -> [Int64: Fate] {
    Dictionary(uniqueKeysWithValues: outbox.map { ($0.key, fate($0)) })
  }

  private static func event(_ row: [String: Value]) -> Event? {
    guard let kind = kinds[row["ZEVENTTYPE"]?.string ?? ""], let status = row["ZSTATUS"]?.string,
      ["pending", "processing", "failed", "completed"].contains(status),
      let bytes = row["ZPAYLOAD"]?.bytes, !bytes.starts(with: [0xEF, 0xBB, 0xBF]),
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
    return Event(
      key: row.key, created: row["ZCREATEDAT"]?.number ?? 0, kind: kind,
      isOpen: status != "completed", entity: name.uppercased(), payload: payload)
  }

  private func fate(_ row: [String: Value]) -> Fate {
    let type = row["ZEVENTTYPE"]?.string ?? ""
    guard Self.kinds[type] != nil else {
      if type.hasPrefix("auth.") { return .quarantined("account") }
      return .quarantined(type == "chat.message.send" ? "chat-message" : "unknown-type")
    }
    guard let event = events[row.key] else {
      return .quarantined("undecodable-payload")
    }
    let entity = live[event.kind.table]?[event.entity]
    let others = events.values.filter {
      $0.entity == event.entity && $0.kind.table == event.kind.table
    }
    .sorted { ($0.created, $0.key) < ($1.created, $1.key) }
    let open = others.filter(\.isOpen)
    if event.isOpen {
      if event.kind.deed == "delete" {
        if entity != nil { return .quarantined("superseded-delete") }
        let isUnsent = event.backendID == nil && event.kind.type != "chatMessage"
        if isUnsent && open.contains(where: { $0.kind.deed == "create" }) { return .cancelled }
      } else if entity == nil {
        return others.contains { $0.kind.deed == "delete" } ? .cancelled : .quarantined("only-copy")
      } else if event.kind.type == "goal" && event.kind.deed == "update" {
        let last = open.last { $0.kind.deed == "update" }
        if let last, last.key != event.key { return .folded(into: last.key) }
      }
    }
    return .row(delivered(row, event, entity, open))
  }

  private func delivered(
    _ old: [String: Value], _ event: Event, _ entity: [String: Value]?, _ open: [Event]
  ) -> [String: Value] {
    var new: [String: Value] = [:]
    for name in [
      "Z_PK", "Z_OPT", "ZID", "ZCREATEDAT", "ZLASTATTEMPTAT", "ZCOMPLETEDAT",
      "ZERRORMESSAGE",
    ] {
      new[name] = old[name]
    }
    new["ZEVENTTYPE"] = .text(event.kind.type)
    new["ZSTATUS"] = old["ZSTATUS"] == "processing" ? "pending" : old["ZSTATUS"]
    new["ZATTEMPTCOUNT"] = old["ZRETRYCOUNT"]
    new["ZMAXATTEMPTS"] = 5
    new["ZENTITYID"] = .blob(uuidBytes(event.entity) ?? [])
    let said = (event.payload["user_id"] ?? event.payload["userId"]) as? String
    let user = said.flatMap(UUID.init(uuidString:))?.uuidString
    new["ZUSERID"] = .text(user ?? entity?["ZUSERID"]?.bytes.map(uuidText) ?? owner)
    let isDelete = event.kind.deed == "delete"
    new["ZPRIORITY"] = isDelete && event.kind.type != "chatMessage" ? 10 : 5
    let sent = open.filter { $0.kind.deed != "delete" }.filter { other in
      // Folded rows aren't sent.
      event.kind.type != "goal" || other.kind.deed == "create"
        || other.key == open.last { $0.kind.deed == "update" }?.key
    }
    let isFirst = !event.isOpen || sent.first?.key == event.key
    let isSynced = entity.map { $0["ZBACKENDID"] != .null } ?? false
    new["ZISNEWRECORD"] = event.kind.deed == "create" && !isSynced && isFirst ? 1 : 0
    new["ZMETADATA"] = metadata(event, entity).map { .text(canonical($0)) } ?? .null
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
      guard let valence = entity?["ZVALENCE"]?.double ?? event.payload["valence"] as? Double else {
        return nil
      }
      let labels =
        entity?["ZLABELS"].flatMap(labels) ?? event.payload["labels"] as? [String] ?? []
      return ["type": "moodEntry", "valence": valence, "labels": labels]
    case ("journalEntry", _):
      guard let content = entity?["ZCONTENT"]?.string ?? event.payload["content"] as? String else {
        return nil
      }
      var said: [String: Any] = [
        "type": "journalEntry",
        "wordCount": content.components(separatedBy: " ").filter { !$0.isEmpty }.count,
      ]
      let mood = (event.payload["linked_mood_id"] ?? event.payload["linkedMoodId"]) as? String
      said["linkedMoodID"] =
        entity == nil ? mood?.uppercased() : entity?["ZLINKEDMOODID"]?.bytes.map(uuidText)
      return said
    default:
      guard let title = entity?["ZTITLE"]?.string ?? event.payload["title"] as? String,
        let category = entity?["ZCATEGORY"]?.string ?? event.payload["category"] as? String
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
    // The texts of such an archive stand in the order of the array, after the words of the archiver;
    // equal texts stand there once, and no fixture's list has any.
    return objects.compactMap { $0 as? String }.filter { $0 != "$null" }
  }
}

extension DeliverableReference.Fate {
  /// What of a fate that was found isn't as it should be; none where all is.
  ///
  /// Metadata may have its keys in any order, and the entity's number is the target's.
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
}

extension [String: Value] {
  /// The row's primary key.
  var key: Int64 { self["Z_PK"]?.int64 ?? 0 }
}
