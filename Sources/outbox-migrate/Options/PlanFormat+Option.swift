import CommandLineKit
import PlanWriting

extension PlanFormat: ArgumentValue {
  static let option = Option(
    "--format", valueName: "format", default: PlanFormat.text,
    help:
      "The output format: 'markdown' for a pull request, 'html' for a self-contained page, "
      + "'sql' for the statements that make the new store.")
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
