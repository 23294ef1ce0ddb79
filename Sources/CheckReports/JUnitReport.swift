import SafeText

/// Checks as a JUnit report in XML, which CI servers show as tests.
///
/// The elements and attributes are those that Jenkins and GitLab read; no standard defines them.
package struct JUnitReport {
  private let command: String
  private let suites: [CheckSuite]

  /// Creates the report of a command, as `verify`.
  package init(command: String, _ suites: [CheckSuite]) {
    self.command = command
    self.suites = suites
  }

  /// The document, line by line.
  package var lines: [String] {
    let all = suites.flatMap(\.cases)
    return [#"<?xml version="1.0" encoding="UTF-8"?>"#]
      + [#"<testsuites name="\#(Self.quoted("outbox-migrate " + command))" \#(Self.counts(all))>"#]
      + suites.flatMap { lines(of: $0) } + ["</testsuites>"]
  }

  private func lines(of suite: CheckSuite) -> [String] {
    [#"  <testsuite name="\#(Self.quoted(suite.path))" \#(Self.counts(suite.cases))>"#]
      + suite.cases.flatMap { lines(of: $0, in: suite) } + ["  </testsuite>"]
  }

  private func lines(of item: CheckSuite.Case, in suite: CheckSuite) -> [String] {
    let head =
      #"    <testcase classname="\#(Self.quoted(suite.path))" name="\#(Self.quoted(item.name))""#
    let result: [String] =
      switch item.result {
      case .passed: []
      case .skipped(let reason): [#"      <skipped message="\#(Self.quoted(reason))"/>"#]
      case .failed(let reasons): [Self.element("failure", reasons)]
      case .error(let message): [Self.element("error", [message])]
      }
    let warnings = item.warnings.map { Self.quoted($0) }.joined(separator: "\n")
    let output = warnings.isEmpty ? [] : ["      <system-out>\(warnings)</system-out>"]
    let body = result + output
    return body.isEmpty ? [head + "/>"] : [head + ">"] + body + ["    </testcase>"]
  }

  /// Returns an element with a reason on each line.
  private static func element(_ name: String, _ reasons: [String]) -> String {
    let first = quoted(reasons.first ?? "the check failed")
    let text = reasons.map { quoted($0) }.joined(separator: "\n")
    return #"      <\#(name) message="\#(first)">\#(text)</\#(name)>"#
  }

  private static func counts(_ cases: [CheckSuite.Case]) -> String {
    let failures = cases.count { if case .failed = $0.result { true } else { false } }
    let errors = cases.count { if case .error = $0.result { true } else { false } }
    let skipped = cases.count { if case .skipped = $0.result { true } else { false } }
    return
      #"tests="\#(cases.count)" failures="\#(failures)" errors="\#(errors)" skipped="\#(skipped)""#
  }

  /// Returns a text for an attribute or an element.
  private static func quoted(_ text: String) -> String {
    text.printable.unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      // XML has no such characters, not even escaped.
      case "\u{FFFE}", "\u{FFFF}": "\\u{\(String(scalar.value, radix: 16))}"
      default: String(scalar)
      }
    }.joined()
  }
}
