package import JSONText
import SafeText

/// Findings as a SARIF 2.1.0 log, which code scanning and editors read.
///
/// Source: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>.
package struct SARIFLog {
  private let toolVersion: String
  private let findings: [CheckFinding]

  /// The codes of the rules with findings, sorted.
  private let rules: [String]

  /// Messages about what couldn't be checked.
  private let failures: [String]

  /// Creates the log of one run of the tool, whose failures say what couldn't be checked.
  package init(toolVersion: String, findings: [CheckFinding], failures: [String]) {
    self.toolVersion = toolVersion
    self.findings = findings
    self.failures = failures
    rules = Set(findings.map(\.rule)).sorted()
  }

  /// The document.
  package var json: JSONValue {
    [
      "$schema":
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
      "version": "2.1.0", "runs": .array([run]),
    ]
  }

  private var run: JSONValue {
    [
      "tool": [
        "driver": [
          "name": "outbox-migrate", "version": .string(toolVersion),
          "rules": JSONValue(rules) { ["id": .string($0)] },
        ]
      ],
      "columnKind": "unicodeCodePoints",
      "invocations": .array([
        [
          "executionSuccessful": .bool(failures.isEmpty),
          "toolExecutionNotifications": JSONValue(failures) {
            ["level": "error", "message": ["text": .string($0.plainMessage)]]
          },
        ]
      ]),
      "results": JSONValue(findings) { result($0) },
    ]
  }

  private func result(_ finding: CheckFinding) -> JSONValue {
    .object([
      .init("ruleId", .string(finding.rule)),
      .init("ruleIndex", JSONValue(rules.firstIndex(of: finding.rule) ?? -1)),
      .init("level", .string(finding.level.rawValue)),
      .init("message", ["text": .string(finding.message.plainMessage)]),
      .init("locations", .array(Self.location(of: finding).map { [$0] } ?? [])),
    ])
  }

  /// Where a finding is; `nil` if it is about no file and no object.
  private static func location(of finding: CheckFinding) -> JSONValue? {
    var members: [JSONValue.Member] = []
    if let path = finding.path {
      let file = JSONValue.Member("artifactLocation", ["uri": .string(path.fileReference)])
      members.append(
        .init("physicalLocation", .object([file] + [region(of: finding)].compactMap(\.self))))
    }
    if let object = finding.object {
      members.append(
        .init("logicalLocations", .array([["fullyQualifiedName": .string(object.printable)]])))
    }
    return members.isEmpty ? nil : .object(members)
  }

  private static func region(of finding: CheckFinding) -> JSONValue.Member? {
    guard let line = finding.line else { return nil }
    let column = finding.column.map { [JSONValue.Member("startColumn", JSONValue($0))] } ?? []
    return .init("region", .object([.init("startLine", JSONValue(line))] + column))
  }
}

extension String {
  /// The text as a message in which nothing is a link or a placeholder.
  ///
  /// Source: SARIF 2.1.0, 3.11.5 and 3.11.6.
  fileprivate var plainMessage: String {
    printable.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "[", "]": text += "\\\(scalar)"
      case "{", "}": text += "\(scalar)\(scalar)"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  /// The path as a URI reference: absolute paths with the scheme `file`, relative ones without.
  fileprivate var fileReference: String {
    let encoded = utf8.map { byte -> String in
      let scalar = Unicode.Scalar(byte)
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || (48...57).contains(byte))
      if isPlain || "-._~/".unicodeScalars.contains(scalar) { return String(scalar) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
    return hasPrefix("/") ? "file://" + encoded : encoded
  }
}
