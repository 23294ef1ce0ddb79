import SafeText
import StoreModel
import JSONText
import MigrationMonitoring
import StoreMigration

/// The report of `apply` on many stores, with similar failures grouped.
struct FleetOutcome: Report {
  private let stores: [String]

  /// A Boolean value indicating whether the report contains each store's document.
  private let keepsDocuments: Bool
  private var results: [StoreResult?]

  private let limits: FleetLimits

  init(stores: [String], keepingDocuments keepsDocuments: Bool, limits: FleetLimits) {
    self.stores = stores
    self.limits = limits
    self.keepsDocuments = keepsDocuments
    results = Array(repeating: nil, count: stores.count)
  }

  mutating func add(_ result: StoreResult, at index: Int) {
    results[index] = result
    if !keepsDocuments { results[index]?.document = .null }
  }

  /// The highest status of a store; with limits, whether the run is within them.
  var exitStatus: ExitStatus {
    let status = results.compactMap { $0?.exitStatus }.max { $0.rawValue < $1.rawValue } ?? .done
    if status == .interrupted || status == .terminated || !limits.areGiven { return status }
    if !tooSlow.isEmpty || limits.isTooLittle(done: done, of: stores.count) {
      return status == .done || limits.minimumSuccessRate != nil ? .failed : status
    }
    return limits.minimumSuccessRate == nil ? status : .done
  }

  /// The number of stores whose processes weren't started.
  var unstarted: Int { results.count { $0 == nil } }

  /// The stores that took longer than the limit.
  private var tooSlow: [String] {
    results.compactMap { result in
      result?.milliseconds.flatMap { limits.isTooSlow(.milliseconds($0)) ? result?.store : nil }
    }
  }

  private var successRate: Double { FleetLimits.successRate(done: done, of: stores.count) }

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
      .init("success_rate", .double(successRate)),
      .init("longest_ms", .int(results.compactMap { $0?.milliseconds }.max() ?? 0)),
      .init("too_slow", JSONValue(tooSlow) { .string($0) }),
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
        + limitLines(style)
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
    ] + limitLines(style)
  }

  private func limitLines(_ style: Style) -> [String] {
    var lines: [String] = []
    if let limit = limits.maximumDuration, !tooSlow.isEmpty {
      let names = tooSlow.prefix(10).map(\.printable).joined(separator: ", ")
      lines.append(
        style(.bad, "Too slow:") + " \(tooSlow.count.counted("store")) took longer than "
          + "\(limit.wholeMilliseconds.milliseconds): \(names)"
          + (tooSlow.count > 10 ? ", and \((tooSlow.count - 10).grouped) more" : ""))
    }
    if let rate = limits.minimumSuccessRate {
      let isMissed = limits.isTooLittle(done: done, of: stores.count)
      lines.append(
        (isMissed ? style(.bad, "Too few:") : style(.good, "Enough:"))
          + " \(successRate.percent) of the stores are done; the limit is \(rate.percent).")
    }
    return lines
  }
}

extension JSONValue {
  /// The object for use inside a document, which states the format version once.
  fileprivate var withoutFormatVersion: JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { $0.key != "format_version" })
  }
}
