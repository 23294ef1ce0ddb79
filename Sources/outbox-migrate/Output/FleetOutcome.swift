import JSONText
import StoreMigration
package import Migrations
package import RowRewriting

/// What became of many stores, with failures grouped by their shape.
struct FleetOutcome: Report {
  private let stores: [String]

  /// A Boolean value indicating whether the documents are wanted at the end.
  private let keepsDocuments: Bool
  private var results: [StoreResult?]

  init(stores: [String], keepingDocuments keepsDocuments: Bool) {
    self.stores = stores
    self.keepsDocuments = keepsDocuments
    results = Array(repeating: nil, count: stores.count)
  }

  mutating func add(_ result: StoreResult, at place: Int) {
    results[place] = result
    if !keepsDocuments { results[place]?.document = .null }
  }

  var exitStatus: StoreMigration.ExitStatus {
    results.compactMap { $0?.exitStatus }.max { $0.rawValue < $1.rawValue } ?? .done
  }

  private var done: Int { results.count { $0?.isDone == true } }

  /// The stores that failed alike.
  private struct Group {
    let status: StoreMigration.ExitStatus

    /// The message, without what only one store has.
    let shape: String
    var stores: [String]
  }

  private var groups: [Group] {
    var groups: [Group] = []
    for case let result? in results where !result.isDone {
      let shape = Self.shape(of: result.message ?? result.exitStatus.meaning)
      if let place = groups.firstIndex(where: {
        $0.status == result.exitStatus && $0.shape == shape
      }) {
        groups[place].stores.append(result.store)
      } else {
        groups.append(Group(status: result.exitStatus, shape: shape, stores: [result.store]))
      }
    }
    return groups.sorted { ($0.stores.count, $1.shape) > ($1.stores.count, $0.shape) }
  }

  /// A message without what it quotes and counts.
  static func shape(of message: String) -> String {
    var shape = ""
    var rest = Substring(message)
    while let character = rest.first {
      if character == "'", shape.last?.isLetter != true, let end = endOfQuote(rest) {
        shape += "'…'"
        rest = rest[end...]
      } else if character.isASCII && character.isNumber {
        shape += "N"
        rest = rest.drop { $0.isNumber || $0 == "," }
      } else {
        shape.append(character)
        rest = rest.dropFirst()
      }
    }
    return shape
  }

  /// Where a quote ends: at a mark with no letter behind it, which would make it an apostrophe.
  private static func endOfQuote(_ text: Substring) -> String.Index? {
    var rest = text.dropFirst()
    while let mark = rest.firstIndex(of: "'") {
      let next = rest.index(after: mark)
      if next == rest.endIndex || !rest[next].isLetter { return next }
      rest = rest[next...]
    }
    return nil
  }

  /// What a last line tells of all.
  var summary: [JSONValue.Member] {
    [
      .init("count", JSONValue(stores.count)), .init("done", JSONValue(done)),
      .init("failed", JSONValue(stores.count - done)),
      .init(
        "failures",
        JSONValue(groups) { group in
          [
            "status": .int(Int64(group.status.rawValue)), "shape": .string(group.shape),
            "stores": JSONValue(group.stores) { .string($0) },
          ]
        }),
    ]
  }

  var members: [JSONValue.Member] {
    [.init("stores", JSONValue(results.compactMap(\.self)) { $0.document.withoutFormatVersion })]
      + summary
  }

  func lines(_ style: Style) -> [String] {
    let failed = Int64(stores.count - done)
    guard failed > 0 else {
      return ["", style(.good, "Applied:") + " \(Int64(stores.count).counted("store"))."]
    }
    let rows: [[Cell]] = groups.map { group in
      [
        Cell(Int64(group.stores.count).counted("store")), Cell("exit \(group.status.rawValue)"),
        Cell(group.shape),
      ]
    }
    return ["", "Failed"] + Columns(rows: rows, rightAligned: [0]).lines(style) + [
      "",
      "Applied: \(Int64(done).grouped) of \(Int64(stores.count).counted("store")); "
        + "\(failed.grouped) failed. Doing it again tries only those.",
    ]
  }
}

extension JSONValue {
  /// An object as it stands within a document, which has the version once.
  fileprivate var withoutFormatVersion: JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { $0.key != "format_version" })
  }
}
