import CommandLineKit

/// `completions`: prints a shell's completion script.
struct CompletionsCommand: Command {
  static let name = "completions"
  static let abstract = "Print the completion script for a shell."
  static let isHidden = true

  static let shell = Argument<Shell>("shell", help: "The shell.")
  static var parameters: [any Parameter] { [shell] }

  let shell: Shell

  init(_ input: borrowing Input) {
    shell = input[Self.shell]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    try terminal.output.print(tool.completionScript(for: shell))
    return 0
  }
}
