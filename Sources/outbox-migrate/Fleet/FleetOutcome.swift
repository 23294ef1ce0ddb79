import SafeText
import StoreModel
import JSONText
import StoreMigration

/// The report of `apply` on many stores, with similar failures grouped.
struct FleetOutcome: Report {
  private let stores: [String]

  /// A Boolean value indicating whether the report contains each store's document.
  private let keepsDocuments: Bool
  private var results: [StoreResult?]

  init(stores: [String], keepingDocuments keepsDocuments: Bool) {
    self.stores = stores
    self.keepsDocuments = keepsDocuments
    results = Array(repeating: nil, count: stores.count)
  }

  mutating func add(_ result: StoreResult, at index: Int) {
    results[index] = result
    if !keepsDocuments { results[index]?.document = .null }
  }

  var exitStatus: ExitStatus {
    results.compactMap { $0?.exitStatus }.max { $0.rawValue < $1.rawValue } ?? .done
  }

  private var done: Int { results.count { $0?.isDone == true } }

  /// Stores with the same failure.
  private struct Group {
    let status: ExitStatus

    /// The message without quoted names and numbers.
    let shape: String
    var stores: [String]
  }

  private var groups: [Group] {
    var groups: [Group] = []
    for case let result? in results where !result.isDone {
      let shape = Self.shape(of: result.message ?? result.exitStatus.meaning)
      if let index = groups.firstIndex(where: {
        $0.status == result.exitStatus && $0.shape == shape
      }) {
        groups[index].stores.append(result.store)
      } else {
        groups.append(Group(status: result.exitStatus, shape: shape, stores: [result.store]))
      }
    }
    return groups.sorted { ($0.stores.count, $1.shape) > ($1.stores.count, $0.shape) }
  }

  /// Returns a message with quoted names and numbers replaced by placeholders.
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

  /// Returns where a quote ends: before a letter, the character is an apostrophe.
  private static func endOfQuote(_ text: Substring) -> String.Index? {
    var rest = text.dropFirst()
    while let quote = rest.firstIndex(of: "'") {
      let next = rest.index(after: quote)
      if next == rest.endIndex || !rest[next].isLetter { return next }
      rest = rest[next...]
    }
    return nil
  }

  /// The summary of all stores, for the last line.
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
        + "\(failed.grouped) failed. Run the command again to retry those.",
    ]
  }
}

extension JSONValue {
  /// The object for use inside a document, which states the format version once.
  fileprivate var withoutFormatVersion: JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { $0.key != "format_version" })
  }
}
