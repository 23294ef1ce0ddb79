import RowInspection
import JSONText
import SQLite
import StoreFormat
import StoreModel
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Rows that the V7 app itself wrote into the additive edition's outbox.
@Suite struct WrittenRowsTests {
  static let owner = DeliverableRowsTests.owner

  /// What the app writes when it does something, by the table of its creators.
  struct Action {
    let name: String
    let eventType: String
    let table: String
    let isNewRecord: Bool
    let metadata: String
    let priority: Int64

    /// A Boolean value indicating whether the entity is in the store when the app writes the row.
    var isAboutLive: Bool { !metadata.contains("delete") }
  }

  private static let goal = #"{"type":"goal","title":"Run","category":"general"}"#
  private static let delete =
    #"{"type":"generic","data":{"operation":"delete","backendId":"b-1"}}"#

  static let actions = [
    Action(
      name: "mood save", eventType: "moodEntry", table: "ZSDMOODENTRY",
      isNewRecord: true, metadata: #"{"type":"moodEntry","valence":0.5,"labels":["calm"]}"#,
      priority: 5),
    Action(
      name: "mood edit", eventType: "moodEntry", table: "ZSDMOODENTRY",
      isNewRecord: false, metadata: #"{"labels":[],"valence":-1,"type":"moodEntry"}"#, priority: 5),
    Action(
      name: "mood delete", eventType: "moodEntry", table: "ZSDMOODENTRY",
      isNewRecord: false, metadata: delete, priority: 10),
    Action(
      name: "journal save", eventType: "journalEntry", table: "ZSDJOURNALENTRY",
      isNewRecord: true, metadata: #"{"type":"journalEntry","wordCount":12}"#, priority: 5),
    Action(
      name: "journal delete", eventType: "journalEntry", table: "ZSDJOURNALENTRY",
      isNewRecord: false, metadata: delete, priority: 10),
    Action(
      name: "goal create", eventType: "goal", table: "ZSDGOAL", isNewRecord: true,
      metadata: goal, priority: 5),
    Action(
      name: "goal progress", eventType: "goal", table: "ZSDGOAL", isNewRecord: false,
      metadata: goal, priority: 5),
    Action(
      name: "conversation delete", eventType: "chatMessage",
      table: "ZSDCHATCONVERSATION", isNewRecord: false,
      metadata: #"{"type":"generic","data":{"operation":"delete","conversationId":"\#(gone)"}}"#,
      priority: 5),
  ]

  private static let gone = "0B6AF7F0-5C0B-4C53-9A52-9A0CDBB6E5D3"

  /// Adds a row for an action about one of the entities, and returns its key.
  private func add(
    _ action: Action, _ status: String, about place: Int = 0, to path: String,
    _ changes: [String: Value] = [:]
  ) throws -> Int64 {
    let like = try #require(try rows(of: "ZSDOUTBOXEVENT", in: path).last)
    let live = try rows(of: action.table, in: path)[place]
    let connection = try Connection(path: path, mode: .readWrite)
    if live["ZBACKENDID"] != nil {
      try connection.execute(
        "UPDATE \(action.table) SET ZBACKENDID = ?1 WHERE Z_PK = ?2",
        [action.isNewRecord ? .null : "b-1", .integer(live.key)])
    }
    var gone = uuidBytes(Self.gone) ?? []
    gone[0] = UInt8(place)
    let user = live["ZUSERID"]?.bytes.map(uuidText) ?? Self.owner
    let row: [String: Value] = [
      "ZID": .blob([UInt8(place)] + gone.dropFirst().reversed()),
      "ZEVENTTYPE": .text(action.eventType), "ZSTATUS": .text(status), "ZPAYLOAD": .blob([]),
      "ZRETRYCOUNT": 0, "ZATTEMPTCOUNT": 0, "ZMAXATTEMPTS": 5, "ZLASTATTEMPTAT": .null,
      "ZERRORMESSAGE": .null, "ZCOMPLETEDAT": status == "completed" ? .real(7.5e8) : .null,
      "ZCREATEDAT": .real(7.5e8),
      "ZENTITYID": action.isAboutLive ? live["ZID"] ?? .null : .blob(gone),
      "ZUSERID": .text(user), "ZISNEWRECORD": action.isNewRecord ? 1 : 0,
      "ZMETADATA": .text(action.metadata), "ZPRIORITY": .integer(action.priority),
    ]
    return try insertOutboxRow(
      like.merging(row) { $1 }.merging(changes) { $1 }, connection)
  }

  /// A store without any other row in its queue.
  private func makeEmptyStore(in folder: TemporaryDirectory) throws -> String {
    let path = try makeStore("V7@additive", rows: 60, in: folder)
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("UPDATE ZSDOUTBOXEVENT SET ZSTATUS = 'completed'")
    return path
  }

  @Test func `rows of the app's are carried as they are`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeEmptyStore(in: folder)
    var keys: [Int64: String] = [:]
    var places: [String: Int] = [:]
    for action in Self.actions {
      for status in ["pending", "failed", "completed"] {
        let place = places[action.table, default: 0]
        places[action.table] = place + 1
        let label = "\(action.name), \(status)"
        keys[try add(action, status, about: place, to: path)] = label
        // Two of them: an id that several rows have is no placeholder.
        keys[try add(action, "completed", about: place, to: path)] = label + ", again"
      }
    }
    let before = try rows(of: "ZSDOUTBOXEVENT", in: path)
    let migrator = try bundledMigrator()
    #expect(try migrator.apply(to: path, DeliverableRowsTests.request).delivery?.mended == 0)
    let after = try rows(of: "ZSDOUTBOXEVENT", in: path)
    for (key, label) in keys {
      let old = try #require(before.first { $0.key == key })
      let new = try #require(after.first { $0.key == key }, "\(label)")
      for (name, value) in new where name != "Z_ENT" {
        #expect(old[name] == value, "\(label): \(name)")
      }
    }
    #expect(try migrator.verify(path, forecastsQueue: true).isPassed)
    #expect(try migrator.rollback(path).isExact)
  }

  @Test func `a conversation's delete comes back from a quarantine`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeEmptyStore(in: folder)
    let action = try #require(Self.actions.last)
    let live = try #require(try rows(of: action.table, in: path).first)
    let id = live["ZID"]?.bytes.map(uuidText) ?? ""
    let metadata = action.metadata.replacing(Self.gone, with: id)
    let key = try add(
      action, "pending", to: path,
      ["ZENTITYID": live["ZID"] ?? .null, "ZMETADATA": .text(metadata)])
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, DeliverableRowsTests.request)
    let kept = try migrator.quarantine(of: path).rows.first { $0.key == key }
    #expect(kept?.reason == .supersededDelete)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute(
        "DELETE FROM ZSDCHATCONVERSATION WHERE Z_PK = ?1", [.integer(live.key)])
    }
    #expect(try migrator.restoreQuarantine(of: path).restored == 1)
    let back = try rows(of: "ZSDOUTBOXEVENT", in: path).first { $0.key == key }
    #expect(back?["ZMETADATA"] == .text(metadata))
    #expect(back?["ZENTITYID"] == live["ZID"])
  }

  @Test func `what the server has already isn't new, and everybody says so`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeEmptyStore(in: folder)
    let key = try add(Self.actions[1], "pending", to: path, ["ZISNEWRECORD": 1])
    let migrator = try bundledMigrator()
    let request = DeliverableRowsTests.request
    #expect(try migrator.plan(for: path, request).delivery?.mended == 1)
    let outcome = try migrator.explain("SDOutboxEvent/\(key)", of: path, request).outcome
    #expect(outcome?.contains("repaired: its 'isNewRecord'") == true)
    #expect(try migrator.apply(to: path, request).delivery?.mended == 1)
    let row = try rows(of: "ZSDOUTBOXEVENT", in: path).first { $0.key == key }
    #expect(row?["ZISNEWRECORD"] == 0)
    #expect(try migrator.verify(path, forecastsQueue: true).isPassed)
  }

  @Test func `a delete takes back what an older version wrote`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeEmptyStore(in: folder)
    let metadata = #"{"type":"generic","data":{"operation":"delete","backendId":"none"}}"#
    let delete = try add(Self.actions[2], "pending", to: path, ["ZMETADATA": .text(metadata)])
    let create = try add(
      Self.actions[2], "pending", to: path,
      [
        "ZEVENTTYPE": "mood.created",
        "ZPAYLOAD": .blob(Array(#"{"id":"00\#(Self.gone.dropFirst(2))"}"#.utf8)),
        "ZMETADATA": .null, "ZENTITYID": .blob([UInt8](repeating: 0, count: 16)),
        "ZCREATEDAT": .real(1),
      ])
    let migrator = try bundledMigrator()
    #expect(try migrator.apply(to: path, DeliverableRowsTests.request).delivery?.cancelled == 2)
    let keys = try rows(of: "ZSDOUTBOXEVENT", in: path).map(\.key)
    #expect(!keys.contains(delete) && !keys.contains(create))
  }
}
