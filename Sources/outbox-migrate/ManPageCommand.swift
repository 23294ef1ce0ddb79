import CommandLineKit
import Platform

/// `man-page`: prints the manual page, for packagers.
struct ManPageCommand: Command {
  static let name = "man-page"
  static let abstract = "Print the manual page."

  static let date = Option<String?>(
    "--date", valueName: "date", help: "The date on the page, such as 2026-08-01; today by default."
  )
  static var parameters: [any Parameter] { [date] }

  let date: String?

  init(_ input: borrowing Input) throws(UsageError) {
    if input[GlobalOptions.json] {
      throw .refused("'\(Self.name)' prints a page, not a report; leave out '--json'")
    }
    date = input[Self.date]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let today = String(WallClock.now().text.prefix(10))
    try terminal.output.print(tool.manPage(date: date ?? today))
    return 0
  }
}
