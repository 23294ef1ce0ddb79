import JSONText
import Platform
import SQLite
import TestSupport

@testable import StoreMigration

/// What a random program makes of a store, one step after the other, in the plainest way.
struct ProgramInterpreter {
  /// A row, by the names of its attributes and to-one links.
  typealias Row = [String: Value]

  /// The rows of a store, by key.
  struct Content: Equatable {
    var items: [Int64: Row] = [:]
    var tags: [Int64: Row] = [:]
    var boxes: [Int64: Row] = [:]
    var addresses: [Int64: Row] = [:]

    /// Shapes, circles and squares, with the name of their entity as `entity`.
    var shapes: [Int64: Row] = [:]
    var receipts: [Int64: Row] = [:]

    /// Items with tags, if both sides are to-many.
    var pairs: Set<[Int64]> = []
  }

  private let before: Content
  private let program: RandomProgram
  private let storeUUID: String
  private(set) var content: Content

  /// Where links to tags that are gone lead, and the names by which items are numbered.
  private var targets: [Int64: Int64?] = [:]
  private var numbered: [Int64: Value] = [:]

  init(_ content: Content, _ program: RandomProgram, storeUUID: String) {
    (before, self.content, self.program, self.storeUUID) = (content, content, program, storeUUID)
  }

  /// Runs the steps.
  mutating func run() {
    change { $0["extra"] = .text("new") }
    for part in program.parts { run(part) }
    finish()
  }

  private mutating func change(_ change: (inout Row) -> Void) {
    for key in content.items.keys { change(&content.items[key, default: [:]]) }
  }

  private mutating func run(_ part: RandomProgram.Part) {
    switch part {
    case .fill: change { if $0["name"] == .null { $0["name"] = .text("x") } }
    case .compute:
      change { row in
        let feet = row.removeValue(forKey: "feet")?.double
        row["metres"] = feet.map { .real($0 * 0.5) } ?? .null
      }
    case .label:
      let tags = before.tags
      change { row in
        let tag = row["tag"]?.int64.flatMap { tags[$0]?["name"] }?.string ?? "!"
        let state = row["state"]?.string ?? row["state"]?.int64.map(String.init) ?? "?"
        row["label"] = .text("\(row["name"]?.string ?? "-")/\(state)/\(tag)")
      }
    case .map:
      change { row in
        let names: [Int64: String] = [0: "open", 1: "done"]
        row["state"] = row["state"]?.int64.map { .text(names[$0] ?? "other") } ?? .null
      }
    case .retype:
      change {
        $0["count"] = $0["count"]?.string.flatMap { Int32($0) }.map { .integer(Int64($0)) } ?? .null
      }
    case .text:
      // The dates are whole minutes of the first day of 2001.
      change { row in
        guard let seconds = row["day"]?.int64 else { return }
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        row["day"] = .text("2001-01-01 \(two(seconds / 3_600)):\(two(seconds / 60 % 60))")
      }
    case .uuid:
      for key in content.items.keys {
        let id = uuid(of: key)
        content.items[key]?["id"] = id
      }
    case .sequence: numbered = content.items.mapValues { $0["name"] ?? .null }
    case .deleteItems:
      content.items = content.items.filter {
        $0.value["name"] != .text("c") && $0.value["state"] != .integer(1)
      }
    case .deleteTags:
      for (key, tag) in content.tags where tag["rank"] == .integer(1) { remove(key, for: nil) }
    case .unite: unite()
    case .rename where !program.has(.drop):
      change { $0["remark"] = $0.removeValue(forKey: "note") }
    case .drop: change { $0["note"] = nil }
    case .convert:
      change { row in row["level"] = row["level"]?.int64.map { .real(Double($0)) } ?? .null }
    case .merge, .divide: changeShapes(part)
    case .dropEntity: content.receipts = [:]
    case .rename, .require, .renameEntity, .relink, .split, .inline: break
    }
  }

  /// Moves attributes of shapes between the entity and its sub-entities.
  private mutating func changeShapes(_ part: RandomProgram.Part) {
    content.shapes = content.shapes.mapValues { row in
      var new = row
      if part == .merge {
        let own = new["entity"]?.string == "Circle" ? "radius" : "side"
        new["size"] = new.removeValue(forKey: own) ?? .null
      } else {
        let weight = new.removeValue(forKey: "weight") ?? .null
        switch new["entity"]?.string {
        case "Circle": new["circleWeight"] = weight
        case "Square": new["squareWeight"] = weight
        default: break
        }
      }
      return new
    }
  }

  private mutating func unite() {
    let named = content.tags.filter { $0.value["name"] != .null }
    for group in Dictionary(grouping: named.keys, by: { named[$0]?["name"]?.string }).values {
      let order = group.sorted { left, right in
        let ranks = [left, right].map { named[$0]?["rank"]?.int64 }
        guard ranks[0] != ranks[1] else { return left < right }
        guard let first = ranks[0] else { return false }
        guard let second = ranks[1] else { return true }
        return program.keepsNewest ? first > second : first < second
      }
      for key in order.dropFirst() { remove(key, for: order[0]) }
    }
  }

  private mutating func remove(_ tag: Int64, for winner: Int64?) {
    content.tags[tag] = nil
    for (old, present) in targets where present == tag { targets[old] = .some(winner) }
    targets[tag] = .some(winner)
  }

  private func uuid(of key: Int64) -> Value {
    var hash = SHA256()
    hash.update(Array("\(storeUUID)/Item.id/\(key)".utf8).span)
    var bytes = Array(hash.finalize().prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return .blob(bytes)
  }

  // MARK: What concerns the rows that stay

  private mutating func finish() {
    for (key, item) in content.items {
      if let tag = item["tag"]?.int64, let target = targets[tag] {
        content.items[key]?["tag"] = target.map { .integer($0) } ?? .null
      }
    }
    if program.has(.sequence) { number() }
    if program.has(.split) { split() }
    if program.has(.inline) {
      let boxes = content.boxes
      change { row in
        let box = row.removeValue(forKey: "box")?.int64.flatMap { boxes[$0] }
        row["boxLabel"] = box?["label"] ?? .null
        row["boxSize"] = box?["size"] ?? .null
      }
      content.boxes = [:]
    }
    guard program.has(.relink) else { return }
    for (key, item) in content.items {
      if let tag = item["tag"]?.int64 { content.pairs.insert([key, tag]) }
      content.items[key]?["tag"] = nil
    }
  }

  private mutating func number() {
    let items = content.items
    for group in Dictionary(grouping: items.keys, by: { items[$0]?["tag"]?.int64 }).values {
      // No name comes first, and no name of the rows is empty.
      let order = group.sorted { left, right in
        let names = [left, right].map { numbered[$0]?.string ?? "" }
        return names[0] == names[1]
          ? left < right : Array(names[0].utf8).lexicographicallyPrecedes(Array(names[1].utf8))
      }
      for (place, key) in order.enumerated() {
        content.items[key]?["place"] = .integer(Int64(place) + 5)
      }
    }
  }

  private mutating func split() {
    var shared: [Row: Int64] = [:]
    for key in content.items.keys.sorted() {
      let address: Row = [
        "street": content.items[key]?.removeValue(forKey: "street") ?? .null,
        "city": content.items[key]?.removeValue(forKey: "city") ?? .null,
      ]
      if program.sharesAddresses {
        let isEmpty = address.values.allSatisfy { $0 == .null }
        let found = isEmpty ? nil : shared[address] ?? key
        shared[address] = found
        content.items[key]?["address"] = found.map { .integer($0) } ?? .null
        if let found { content.addresses[found] = address }
      } else {
        content.items[key]?["address"] = .integer(key)
        content.addresses[key] = address
      }
    }
  }
}
