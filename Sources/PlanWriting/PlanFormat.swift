package import SafeText

/// The output format of a plan.
package enum PlanFormat: String, CaseIterable, Sendable {
  /// For a terminal.
  case text

  /// For scripts.
  case json

  /// For a comment on a pull request.
  case markdown

  /// For a browser, as one file.
  case html

  /// The statements that make the new store.
  case sql
}

extension PlanOutcome {
  /// Returns the plan in its format, line by line.
  package func lines(_ style: Style) -> [String] {
    switch format {
    case .text, .json: textLines(style)
    case .markdown: [PlanComment(self, style).text]
    case .html: [PlanPage(self, style).text]
    case .sql: PlanScript(plan: plan, statements: statements).lines
    }
  }
}
