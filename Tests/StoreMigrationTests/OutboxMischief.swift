import TestSupport
import Foundation
import OutboxFormat
import SQLite
import StoreModel

@testable import StoreFixtures
@testable import StoreMigration
import Migrations
import RowRewriting
import StoreProof

/// What happens to the outboxes of real life and isn't in a fixture: rows of other users, deletes before
/// and after creations, the same twice, keys with escapes, entities that are damaged or gone.
struct OutboxMischief {
  private var random: RandomSource
  private let path: String

  init(_ path: String, seed: UInt64) {
    self.path = path
    random = RandomSource(seed)
  }

  mutating func run(count: Int) throws {
    let outbox = try rows(of: "ZSDOUTBOXEVENT", in: path)
    let connection = try Connection(path: path, mode: .readWrite)
    for _ in 0..<count {
      let row = random.pick(outbox)
      if random.chance(25) {
        try damage(connection)
      } else if EventKind.kind(named: row["ZEVENTTYPE"]?.string ?? "")?.isRouted == true {
        try change(written: row, connection)
      } else {
        try change(row, connection)
      }
    }
  }

  private mutating func change(
    _ row: [String: Value], _ connection: borrowing Connection
  ) throws {
    guard let bytes = row["ZPAYLOAD"]?.bytes,
      var payload = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
      let type = row["ZEVENTTYPE"]?.string
    else { return }
    let names = ["id", "local_id", "localId", "entry_id", "entryId"]
    let id = names.compactMap { payload[$0] as? String }.first
    switch random.below(6) {
    case 0:
      payload["user_id"] = uuidText(random.uuid())
      try set("ZPAYLOAD", .blob(json(payload)), of: row, connection)
    case 1:
      try set("ZCREATEDAT", .real(Double(random.below(1_000_000))), of: row, connection)
    case 2:
      try insert(row, ["ZCREATEDAT": .real(Double(random.below(900_000_000)))], connection)
    case 3:
      let text = String(decoding: bytes, as: UTF8.self)
        .replacingOccurrences(of: "\"id\"", with: "\"\\u0069d\"")
        .replacingOccurrences(of: "\"user_id\"", with: "\"user\\u005Fid\"")
      try set("ZPAYLOAD", .blob(Array(text.utf8)), of: row, connection)
    default:
      guard let id, let subject = type.split(separator: ".").first, type.contains(".") else {
        return
      }
      var delete: [String: Any] = ["local_id": id]
      if random.chance(40) { delete["backend_id"] = random.pick(["b-1", "b-2", "none"]) }
      if random.chance(20) { delete["user_id"] = uuidText(random.uuid()) }
      let deletion: [String: Value] = [
        "ZEVENTTYPE": .text("\(subject).deleted"), "ZPAYLOAD": .blob(json(delete)),
        "ZSTATUS": .text(random.pick(["pending", "failed", "completed"])),
        "ZCREATEDAT": .real(Double(random.below(900_000_000))),
      ]
      try insert(row, deletion, connection)
    }
  }

  private mutating func change(
    written row: [String: Value], _ connection: borrowing Connection
  ) throws {
    let deletion = #"{"type":"generic","data":{"operation":"delete""#
    let columns: [String: Value] =
      switch random.below(7) {
      case 0: ["ZUSERID": .text(uuidText(random.uuid()))]
      case 1: ["ZUSERID": .text(row["ZUSERID"]?.string?.lowercased() ?? "")]
      case 2: ["ZUSERID": ""]
      case 3: ["ZMETADATA": .text(deletion + #","backendId":"none"}}"#), "ZISNEWRECORD": 0]
      case 4: ["ZISNEWRECORD": 1]
      case 5: ["ZMETADATA": "bm8gSlNPTg=="]
      default: ["ZSTATUS": .text(random.pick(["pending", "processing", "completed"]))]
      }
    if random.chance(50) { return try insert(row, columns, connection) }
    for (name, value) in columns { try set(name, value, of: row, connection) }
  }

  /// Takes a live entity away, or makes one of its values something else.
  private mutating func damage(_ connection: borrowing Connection) throws {
    let (table, columns): (String, [String]) = random.pick([
      ("ZSDMOODENTRY", ["ZVALENCE", "ZLABELS"]),
      ("ZSDJOURNALENTRY", ["ZCONTENT", "ZLINKEDMOODID"]),
      ("ZSDGOAL", ["ZTITLE", "ZCATEGORY"]),
    ])
    let known = try connection.value(
      "SELECT 1 FROM sqlite_schema WHERE name = ?1", [.text(table)])
    guard known != nil,
      let key = try connection.value(
        "SELECT Z_PK FROM \(table) ORDER BY (Z_PK * \(random.below(997) + 1)) % 997 LIMIT 1")
    else { return }
    if random.chance(30) {
      try connection.execute(
        "UPDATE \(table) SET ZID = ?1 WHERE Z_PK = ?2", [.blob(random.uuid()), key])
    } else {
      let value: Value = random.pick([.text("abc"), .blob([0, 1]), .integer(7)])
      try connection.execute(
        "UPDATE \(table) SET \(random.pick(columns)) = ?1 WHERE Z_PK = ?2", [value, key])
    }
  }

  private func set(
    _ column: String, _ value: Value, of row: [String: Value], _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE ZSDOUTBOXEVENT SET \(column) = ?1 WHERE Z_PK = ?2", [value, .integer(row.key)])
  }

  /// Adds a row like another.
  private mutating func insert(
    _ row: [String: Value], _ changes: [String: Value], _ connection: borrowing Connection
  ) throws {
    try insertOutboxRow(
      row.merging(changes) { $1 }.merging(["ZID": .blob(random.uuid())]) { $1 }, connection)
  }

  private func json(_ object: [String: Any]) -> [UInt8] {
    (try? JSONSerialization.data(withJSONObject: object)).map(Array.init) ?? []
  }
}

/// Adds a row to an outbox under the next key, and returns that.
@discardableResult
func insertOutboxRow(
  _ row: [String: Value], _ connection: borrowing Connection
) throws -> Int64 {
  try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_NAME = 'SDOutboxEvent'")
  let key = try connection.value("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'SDOutboxEvent'")
  let names = row.keys.sorted()
  let places = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
  try connection.execute(
    "INSERT INTO ZSDOUTBOXEVENT (\(names.joined(separator: ", "))) VALUES (\(places))",
    names.map { $0 == "Z_PK" ? key ?? 1 : row[$0] ?? .null })
  return key?.int64 ?? 0
}
