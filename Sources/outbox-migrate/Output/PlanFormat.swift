import CommandLineKit

/// How a plan is printed.
enum PlanFormat: String, CaseIterable, ArgumentValue {
  /// For a terminal.
  case text

  /// For scripts.
  case json

  /// For a comment on a pull request.
  case markdown

  /// For a browser: one file.
  case html

  static let option = Option(
    "--format", valueName: "format", default: PlanFormat.text,
    help: "How to print the plan: 'markdown' is for a pull request, 'html' is one page by itself.")
}

extension PlanOutcome {
  func lines(_ style: Style) -> [String] {
    switch format {
    case .text, .json: textLines(style)
    case .markdown: [PlanComment(self, style).text]
    case .html: [PlanPage(self, style).text]
    }
  }
}
