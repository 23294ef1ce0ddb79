import InputFiles
import SafeText
import JSONText
import Platform
import StoreMigration
import TerminalOutput

/// The output of a command.
protocol Report {
  /// Returns the lines for a terminal.
  func lines(_ style: Style) -> [String]

  /// The members of the JSON object, without `format_version`.
  var members: [JSONValue.Member] { get }

  /// The exit status that the report implies.
  var exitStatus: ExitStatus { get }

  /// A Boolean value indicating whether the command has changed files.
  var hasChangedFiles: Bool { get }
}

extension Report {
  var exitStatus: ExitStatus { .done }
  var hasChangedFiles: Bool { false }
}

extension Terminal {
  /// Prints a report and returns its exit status.
  func print(_ report: some Report, _ globals: GlobalOptions) throws(Failure) -> Int32 {
    var printing = DeferredPrinting()
    printing.hasChangedFiles = report.hasChangedFiles
    if !globals.json { note(globals.models) }
    printing.attempt { () throws(SystemError) in
      if globals.json {
        try print(document: report.members + globals.modelMembers)
      } else {
        try print(report.lines(Style(self, globals)))
      }
    }
    try printing.finish()
    return report.exitStatus.rawValue
  }

  func print(_ lines: [String]) throws(SystemError) {
    try output.print(lines.map { $0 + "\n" }.joined())
  }

  /// Prints one JSON document.
  func print(document members: [JSONValue.Member]) throws(SystemError) {
    let document = JSONValue.object([.init("format_version", 1)] + members)
    try output.print(document.text(.pretty) + "\n")
  }
}
