import CommandLineKit

/// The output format of a plan.
enum PlanFormat: String, CaseIterable, ArgumentValue {
  /// For a terminal.
  case text

  /// For scripts.
  case json

  /// For a comment on a pull request.
  case markdown

  /// For a browser, as one file.
  case html

  static let option = Option(
    "--format", valueName: "format", default: PlanFormat.text,
    help: "The output format: 'markdown' for a pull request, 'html' for a self-contained page.")
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
