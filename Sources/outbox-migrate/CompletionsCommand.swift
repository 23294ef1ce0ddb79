import CommandLineKit
import TerminalOutput

/// `completions`: prints a shell's completion script.
struct CompletionsCommand: Command {
  static let name = "completions"
  static let abstract = "Print the completion script for a shell."

  static let shell = Argument<Shell>("shell", help: "The shell.")
  static var parameters: [any Parameter] { [shell] }

  let shell: Shell

  init(_ input: borrowing Input) throws(UsageError) {
    if input[GlobalOptions.json] {
      throw .refused("'\(Self.name)' prints a script, not a report; leave out '--json'")
    }
    shell = input[Self.shell]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    try terminal.output.print(tool.completionScript(for: shell))
    return 0
  }
}
