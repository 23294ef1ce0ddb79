import SafeText
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

  /// The statements that make the new store.
  case sql

  static let option = Option(
    "--format", valueName: "format", default: PlanFormat.text,
    help:
      "The output format: 'markdown' for a pull request, 'html' for a self-contained page, "
      + "'sql' for the statements that make the new store.")

  /// Checks the format against the global options.
  ///
  /// - Throws: A `UsageError` if '--json' asks for another format.
  func check(_ input: borrowing Input) throws(UsageError) {
    switch self {
    case .text, .json: break
    case .markdown, .html, .sql:
      if input[GlobalOptions.json] { throw .exclusive("--json", "--format \(rawValue)") }
    }
  }
}

/// The output format of a saved plan, which has no statements to print.
struct SavedPlanFormat: ArgumentValue {
  let format: PlanFormat

  init(_ format: PlanFormat) { self.format = format }

  init(argument: String) throws(ArgumentValueError) {
    guard let format = PlanFormat(rawValue: argument) else { throw .notAmong(Self.choices) }
    self.format = format
  }

  static var choices: [String] { PlanFormat.choices.filter { $0 != PlanFormat.sql.rawValue } }

  var argumentText: String { format.rawValue }

  static let option = Option(
    "--format", valueName: "format", default: SavedPlanFormat(.text),
    help:
      "The output format: 'markdown' for a pull request, 'html' for a self-contained page.")
}

extension PlanOutcome {
  func lines(_ style: Style) -> [String] {
    switch format {
    case .text, .json: textLines(style)
    case .markdown: [PlanComment(self, style).text]
    case .html: [PlanPage(self, style).text]
    case .sql: PlanScript(plan: plan, statements: statements).lines
    }
  }
}
