import CommandLineKit
import TerminalOutput

/// `describe`: prints the tool's own description for scripts, agents and editors.
struct DescribeCommand: Command {
  static let name = "describe"
  static let abstract = "Describe all commands, options and exit statuses as JSON."
  static let parameters: [any Parameter] = []

  init(_ input: borrowing Input) {}

  func run(in terminal: Terminal) throws -> Int32 {
    try terminal.print(document: tool.description)
    return 0
  }
}
