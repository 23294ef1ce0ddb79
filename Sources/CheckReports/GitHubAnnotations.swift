import SafeText

/// Findings as the commands of a workflow's log that GitHub shows beside the changed lines.
///
/// Source: <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>.
package struct GitHubAnnotations {
  private let findings: [CheckFinding]

  package init(_ findings: [CheckFinding]) {
    self.findings = findings
  }

  /// One line for each finding.
  package var lines: [String] {
    findings.map { finding in
      let properties: [(String, String?)] = [
        ("file", finding.path), ("line", finding.line.map { String($0) }),
        ("col", finding.column.map { String($0) }), ("title", finding.rule),
      ]
      let words = properties.compactMap { name, value in
        value.map { "\(name)=\(Self.escaped($0, alsoIn: ":,"))" }
      }
      let object = finding.object.map { $0 + ": " } ?? ""
      return "::\(Self.command(for: finding.level)) \(words.joined(separator: ","))::"
        + Self.escaped(object + finding.message)
    }
  }

  private static func command(for level: CheckFinding.Level) -> String {
    switch level {
    case .error: "error"
    case .note: "notice"
    }
  }

  /// Returns a text in which no character ends the command or one of its properties.
  private static func escaped(_ text: String, alsoIn separators: String = "") -> String {
    text.printable.unicodeScalars.map { scalar in
      guard scalar == "%" || separators.unicodeScalars.contains(scalar) else {
        return String(scalar)
      }
      return "%" + String(scalar.value, radix: 16, uppercase: true)
    }.joined()
  }
}
