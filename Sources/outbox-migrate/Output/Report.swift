import JSONText
import Platform
import StoreMigration
package import Migrations
package import RowRewriting

/// What a command says at its end, to people or to scripts.
protocol Report {
  /// The lines for people.
  func lines(_ style: Style) -> [String]

  /// The members of the JSON object, without `format_version`.
  var members: [JSONValue.Member] { get }

  /// What the report means to a script.
  var exitStatus: StoreMigration.ExitStatus { get }

  /// A Boolean value indicating whether a file was changed, which holds if nobody can be told, too.
  var isOfChange: Bool { get }
}

extension Report {
  var exitStatus: StoreMigration.ExitStatus { .done }
  var isOfChange: Bool { false }
}

extension Terminal {
  /// Prints a report and returns the exit status that goes with it.
  func print(_ report: some Report, _ globals: GlobalOptions) throws(Failure) -> Int32 {
    var telling = Telling()
    telling.isOfChange = report.isOfChange
    telling.attempt { () throws(SystemError) in
      if globals.json {
        try print(document: report.members)
      } else {
        try print(report.lines(Style(self, globals)))
      }
    }
    try telling.end()
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
