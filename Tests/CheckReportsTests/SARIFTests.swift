import CheckReports
import JSONText
import Testing

struct SARIFTests {
  private let findings = [
    CheckFinding(
      rule: "one-way", level: .note, path: "Migrations/V1-V2 ä.json", line: 3, column: 5,
      object: "Entry.title", message: "the step has no inverse"),
    CheckFinding(rule: "bad-file", level: .error, path: "/tmp/a:b.json", message: "expected '{'"),
    CheckFinding(rule: "one-way", level: .note, path: nil, message: "no\u{1B}[31m colour"),
  ]

  private func log(_ failures: [String] = []) throws -> JSONValue {
    try #require(
      SARIFLog(toolVersion: "1.0", findings: findings, failures: failures).json["runs"]?
        .elements.first)
  }

  @Test func `results name their rule by its place in the list`() throws {
    let log = try log()
    let rules = try #require(log["tool"]?["driver"]?["rules"]?.elements).map { $0["id"] }
    #expect(rules == ["bad-file", "one-way"])
    let results = try #require(log["results"]?.elements)
    #expect(results.map { $0["ruleIndex"] } == [1, 0, 1])
    for result in results {
      let index = result["ruleIndex"] == 0 ? 0 : 1
      #expect(result["ruleId"] == rules[index])
    }
    #expect(results.map { $0["level"] } == ["note", "error", "note"])
  }

  @Test func `paths are references and positions are regions`() throws {
    let results = try #require(try log()["results"]?.elements)
    let files = results.map { result in
      result["locations"]?.elements.first?["physicalLocation"]
    }
    #expect(files[0]?["artifactLocation"]?["uri"] == "Migrations/V1-V2%20%C3%A4.json")
    #expect(files[0]?["region"]?["startLine"] == 3)
    #expect(files[0]?["region"]?["startColumn"] == 5)
    #expect(files[1]?["artifactLocation"]?["uri"] == "file:///tmp/a%3Ab.json")
    #expect(files[1]?["region"] == nil)
    #expect(results[2]["locations"]?.elements == [])
  }

  @Test func `no message controls a terminal`() throws {
    let text = SARIFLog(toolVersion: "1.0", findings: findings, failures: ["\u{1B}"]).json
      .text(.pretty)
    #expect(!text.contains("\u{1B}") && !text.contains("\\u001b"))
  }

  @Test func `what couldn't be checked makes the run unsuccessful`() throws {
    let good = try #require(try log()["invocations"]?.elements.first)
    #expect(good["executionSuccessful"] == true)
    let bad = try #require(try log(["a.store: damaged"])["invocations"]?.elements.first)
    #expect(bad["executionSuccessful"] == false)
    #expect(
      bad["toolExecutionNotifications"]?.elements.first?["message"]?["text"]
        == "a.store: damaged")
  }
}

extension JSONValue {
  /// The elements of an array; empty for any other value.
  fileprivate var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }
}
