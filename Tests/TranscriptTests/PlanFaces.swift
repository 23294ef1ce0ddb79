import Foundation
import Platform
import Synchronization
import TestSupport

@testable import outbox_migrate
import Migrations
import OutboxConversion
import StoreProof
import TerminalOutput

/// A plan in its four forms, as the tool prints them.
struct PlanFaces {
  let text: String
  let json: String
  let markdown: String
  let html: String

  /// Plans a store's migration once, because fingerprints of values differ from plan to plan.
  init(of store: String, options: [String] = []) throws {
    let file = store + ".plan"
    // A plan that an option must complete first is shown as well.
    _ = try output(of: ["plan", store, "--out", file] + options, allowing: [0, 7, 64])
    func face(_ format: String) throws -> String {
      try output(of: ["show", file, "--format", format])
    }
    text = try face("text")
    json = try face("json")
    markdown = try face("markdown")
    html = try face("html")
  }
}

/// A run of the tool that didn't succeed.
struct RunFailure: Error, CustomStringConvertible {
  let description: String
}

/// Runs the tool in this process and returns what it printed.
func output(of words: [String], allowing statuses: Set<Int32> = [0]) throws -> String {
  let (output, error) = (Paper(), Paper())
  let terminal = Terminal(output: output.sink, error: error.sink, forbidsColor: true)
  let status = OutboxMigrate.run(words, in: terminal)
  guard statuses.contains(status) else {
    throw RunFailure(description: "\(words) exits with \(status): \(error.content)")
  }
  let problems = try ReportCheck(words: words)
    .problems(output: output.content, error: error.content)
  guard problems.isEmpty else { throw RunFailure(description: "\(words): \(problems)") }
  return output.content
}

/// The output of a run.
private final class Paper: Sendable {
  private let text = Mutex("")

  var content: String { text.withLock { $0 } }

  var sink: Sink {
    Sink(isTerminal: false, width: nil) { line in self.text.withLock { $0 += line } }
  }
}

/// The facts that one form of a plan shows.
struct PlanFacts: Equatable {
  /// `object → new name: rows`, in order.
  var steps: [String] = []

  /// `attribute class: values`, in order.
  var classes: [String] = []

  /// `step: values`, in order.
  var losses: [String] = []

  /// `code: rows`, in order.
  var warnings: [String] = []

  /// `row before → after kind`, in order.
  var examples: [String] = []

  var oneWay = 0

  /// The rows to write, and the rows and values to lose.
  var totals: [Int] = []

  private var lines: [String] {
    steps + classes + losses + warnings + examples + ["\(oneWay) one-way, totals \(totals)"]
  }

  /// The part that a terminal shows: at most 8 examples; of more than 12 steps, those with rows.
  var forTerminals: PlanFacts {
    var facts = self
    if steps.count > 12 { facts.steps = steps.filter { !$0.hasSuffix(": 0") } }
    facts.classes = classes.filter { !$0.hasSuffix(": 0") }
    facts.examples = Array(examples.prefix(8))
    return facts
  }

  /// The lines that these facts have more than others, and those that they lack.
  func difference(from other: PlanFacts) -> [String] {
    lines.difference(from: other.lines).map { change in
      switch change {
      case .insert(_, let line, _): "+ " + line
      case .remove(_, let line, _): "- " + line
      }
    }
  }
}

extension PlanFacts {
  init(json: String) throws {
    let plan = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any] ?? [:]
    func list(_ key: String) -> [[String: Any]] { plan[key] as? [[String: Any]] ?? [] }
    func number(_ any: Any?) -> Int { (any as? NSNumber)?.intValue ?? -1 }
    for step in list("steps") {
      steps.append(
        "\(step["object"] ?? "") → \(step["to"] as? String ?? ""): \(number(step["rows"]))")
      if step["reversible"] as? Bool == false { oneWay += 1 }
    }
    for conversion in list("conversions") {
      let counts = conversion["classes"] as? [String: Any] ?? [:]
      // A JSON object has no order.
      for name in counts.keys.sorted() {
        classes.append("\(conversion["object"] ?? "") \(name): \(number(counts[name]))")
      }
    }
    losses = list("losses").map { "\($0["step"] ?? ""): \(number($0["rows"]))" }
    let lostRows = list("losses").filter { !"\($0["object"] ?? "")".contains(".") }
      .reduce(0) { $0 + number($1["rows"]) }
    let lost = list("losses").reduce(0) { $0 + number($1["rows"]) }
    totals = [number(plan["rows_written"]), lostRows, lost - lostRows]
    examples = list("examples").map { example in
      func parts(_ key: String) -> String {
        (example[key] as? [[String: Any]] ?? []).map { part in
          let bytes = part["bytes"] as? Int
          let words = [
            "\(part["kind"] ?? "")", bytes.map { "\($0) byte\($0 == 1 ? "" : "s")" },
            (part["mark"] as? String).map { "#\($0)" },
          ]
          let mark = words.compactMap(\.self).joined(separator: ", ")
          return "\(part["attribute"] ?? "") \(mark == "null" ? mark : "<\(mark)>")"
        }
        .joined(separator: ", ")
      }
      return "\(example["entity"] ?? "")/\(number(example["key"])) \(parts("before")) → "
        + "\(parts("after")) \(example["class"] ?? "")"
    }
    warnings = list("warnings").map { "\($0["code"] ?? ""): \(number($0["rows"]))" }
  }

  init(text: String) throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for line in lines {
      if let step = line.wholeMatch(
        of: /(?:  )+[-+~]  (\S+)\s+(?:-> (.+?)  +)?([\d,]+) rows?  .*/)
      {
        steps.append("\(step.1) → \(step.2 ?? ""): \(number(step.3))")
      } else if let conversion = line.wholeMatch(of: /\ \ (\S+)\s+-> \S+\s+[\d,]+ values?\s+(.*)/) {
        classes += conversion.2.split(separator: " · ").map { part in
          let words = part.split(separator: " ")
          return "\(conversion.1) \(words[1]): \(number(words[0]))"
        }.sorted()
      } else if let example = line.wholeMatch(of: /\ \ (\S+\/\d+)\s+(.*?)\s+-> (.*?)\s+(\S+)/) {
        examples.append("\(example.1) \(example.2) → \(example.3) \(example.4)")
      } else if let loss = line.wholeMatch(of: /\ \ -  (\S+)\s+([\d,]+) (?:value|row)s?/) {
        losses.append("\(loss.1): \(number(loss.2))")
      } else if let warning = line.wholeMatch(of: /\ \ ([a-z-]+)   ([\d,]+) rows?/) {
        warnings.append("\(warning.1): \(number(warning.2))")
      }
    }
    oneWay = text.firstMatch(of: /([\d,]+) one-way/).map { number($0.1) } ?? -1
    totals = text.totals
  }

  init(markdown: String) {
    let lines = markdown.split(separator: "\n").map(String.init)
    var folded: [String] = []
    for line in lines {
      if let loss = line.wholeMatch(of: /- `([^`]+)`: ([\d,]+) (?:value|row)s?/) {
        losses.append("\(loss.1): \(number(loss.2))")
      } else if let warning = line.wholeMatch(of: /- `([a-z-]+)`: ([\d,]+) rows?; .*/) {
        warnings.append("\(warning.1): \(number(warning.2))")
      }
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.filter { $0 != "`" }.trimmingCharacters(in: .whitespaces) }
      if cells.count == 8, ["+", "-", "~"].contains(cells[2]) {
        steps.append("\(cells[3]) → \(cells[4]): \(number(cells[5]))")
      } else if cells.count == 6, cells[1].contains("/"), cells[1].last?.isNumber == true {
        examples.append("\(cells[1]) \(cells[2]) → \(cells[3]) \(cells[4])")
      } else if cells.count == 6, let count = Int(cells[4].filter { $0 != "," }) {
        classes.append("\(cells[1]) \(cells[3]): \(count)")
      } else if cells.count == 4, let loss = cells[2].wholeMatch(of: /([\d,]+) (?:value|row)s?/) {
        folded.append("\(cells[1]): \(number(loss.1))")
      }
    }
    // A long list of losses is cut, and complete in a table.
    if !folded.isEmpty { losses = folded }
    classes = inGroups(classes)
    oneWay = markdown.firstMatch(of: /([\d,]+) one-way/).map { number($0.1) } ?? -1
    totals = markdown.totals
  }

  init(html: String) {
    steps = html.section("steps").rows.map { "\($0[1]) → \($0[2]): \(number($0[3]))" }
    examples = html.section("examples").rows.map { "\($0[0]) \($0[1]) → \($0[2]) \($0[3])" }
    for part in html.section("conversions").split(separator: "<h3>").dropFirst() {
      let object = part.firstMatch(of: /<code>(.*?)<\/code>/).map { String($0.1) } ?? ""
      for item in part.matches(of: /<b>([\d,]+)<\/b> ([\w-]+)/) {
        classes.append("\(object) \(item.2): \(number(item.1))")
      }
    }
    classes = inGroups(classes)
    losses = html.section("losses").rows.map {
      "\($0[0]): \(number($0[1].prefix { $0 != " " }))"
    }
    for warning in html.section("warnings").matches(
      of: /<code><b>(.*?)<\/b><\/code> <span class="tag changed">([\d,]+) rows?</)
    {
      warnings.append("\(warning.1): \(number(warning.2))")
    }
    let plain = html.withoutTags
    oneWay = plain.firstMatch(of: /([\d,]+) one-way/).map { number($0.1) } ?? -1
    totals =
      plain.firstMatch(
        of: /([\d,]+)\s*rows? to write\s*([\d,]+)\s*values? and ([\d,]+) rows? to lose/
      )
      .map { [number($0.1), number($0.3), number($0.2)] } ?? []
  }
}

/// Orders the classes of each attribute, as an object of JSON does.
private func inGroups(_ classes: [String]) -> [String] {
  var groups: [(name: Substring, lines: [String])] = []
  for line in classes {
    let name = line.prefix { $0 != " " }
    if groups.last?.name == name {
      groups[groups.count - 1].lines.append(line)
    } else {
      groups.append((name, [line]))
    }
  }
  return groups.flatMap { $0.lines.sorted() }
}

private func number(_ text: some StringProtocol) -> Int {
  Int(String(text).filter { $0 != "," }) ?? -1
}

extension String {
  fileprivate func section(_ id: String) -> Substring {
    guard let start = range(of: "<section id=\"\(id)\">"),
      let end = range(of: "</section>", range: start.upperBound..<endIndex)
    else { return "" }
    return self[start.upperBound..<end.lowerBound]
  }

  /// Reads the counts of rows and values in a plan's sentence.
  fileprivate var totals: [Int] {
    firstMatch(of: /Plan: ([\d,]+) rows? to write, ([\d,]+) rows? and ([\d,]+) values? to lose/)
      .map { [number($0.1), number($0.2), number($0.3)] } ?? []
  }

  /// The visible text of a page.
  var withoutTags: String {
    replacing(/<(style|script)>.*?<\/\1>/.dotMatchesNewlines(), with: "")
      .replacing(/<[^>]*>/, with: "")
      .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
      .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
  }
}

extension Substring {
  /// The cells of the rows of a page's tables.
  fileprivate var rows: [[String]] {
    matches(of: /<tr data-find="">(.*?)<\/tr>/.dotMatchesNewlines()).map { row in
      row.1.matches(of: /<td[^>]*>(.*?)<\/td>/.dotMatchesNewlines())
        .map { String($0.1).withoutTags }
    }
  }
}
