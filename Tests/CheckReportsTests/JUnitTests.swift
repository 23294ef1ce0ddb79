import CheckReports
import Testing
import XMLText

struct JUnitTests {
  /// Names that would end an attribute, an element or a line.
  private let hostile = "a\"b<c>&amp;]]>\n\u{1B}\u{FFFE}"

  @Test func `a report counts its cases and nests their results`() throws {
    let suites = [
      CheckSuite(
        path: "a.store", [.init("tables", .passed), .init("rows", .failed(["one", "two"]))]),
      CheckSuite(path: "b.store", [.init("readable", .error("damaged"))]),
    ]
    let root = try parsed(JUnitReport(command: "verify", suites))
    #expect(root["tests"] == "3")
    #expect(root["failures"] == "1")
    #expect(root["errors"] == "1")
    #expect(root.children.map { $0["name"] } == ["a.store", "b.store"])
    let cases = root.children.flatMap(\.children)
    #expect(cases.map { $0["classname"] } == ["a.store", "a.store", "b.store"])
    #expect(cases.map { $0.children.map(\.name) } == [[], ["failure"], ["error"]])
    #expect(cases[1].children.first?["message"] == "one")
  }

  @Test func `warnings are output of their case, and a check that wasn't done is skipped`() throws {
    let suite = CheckSuite(
      path: "a.store",
      [
        .init("integrity", .passed, warnings: ["missing-log: there is no log", "links: <two>"]),
        .init("rows", .skipped("no model")), .init("links", .failed(["one"]), warnings: ["more"]),
      ])
    let root = try parsed(JUnitReport(command: "verify", [suite]))
    #expect(root["tests"] == "3" && root["failures"] == "1" && root["skipped"] == "1")
    let cases = try #require(root.children.first).children
    #expect(
      cases.map { $0.children.map(\.name) }
        == [["system-out"], ["skipped"], ["failure", "system-out"]])
    #expect(cases[1].children.first?["message"] == "no model")
    let text = JUnitReport(command: "verify", [suite]).lines.joined(separator: "\n")
    #expect(
      text.contains("<system-out>missing-log: there is no log\nlinks: &lt;two&gt;</system-out>"))
    #expect(suite.findings.map(\.message) == ["one"])
  }

  @Test func `no name leaves its attribute`() throws {
    let suite = CheckSuite(path: hostile, [.init(hostile, .failed([hostile, hostile]))])
    let root = try parsed(JUnitReport(command: "verify", [suite]))
    let item = try #require(root.children.first?.children.first)
    #expect(item["name"] == #"a"b<c>&amp;]]>\n\u{1b}\u{fffe}"#)
    #expect(item["classname"] == item["name"])
    #expect(item.children.map(\.name) == ["failure"])
  }
}

extension JUnitTests {
  /// Returns the root of the document, as a strict reader sees it.
  private func parsed(_ report: JUnitReport) throws -> XMLElement {
    try XMLElement(parsing: Array(report.lines.joined(separator: "\n").utf8))
  }
}
