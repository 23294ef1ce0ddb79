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
