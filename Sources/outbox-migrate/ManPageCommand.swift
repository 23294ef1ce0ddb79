import CommandLineKit
import InputFiles
import Platform
import StoreMigration
import TerminalOutput

/// `man-page`: prints or writes the manual pages, for packagers.
struct ManPageCommand: Command {
  static let name = "man-page"
  static let abstract = "Print the manual page, or write one for each command."

  static let date = Option<String?>(
    "--date", valueName: "date", help: "The date on the page, such as 2026-08-01; today by default."
  )
  static let out = Option<String?>(
    "--out", valueName: "dir",
    help: "Write the tool's page and one for each command into this folder, which exists.",
    completion: .directory)
  static var parameters: [any Parameter] { [date, out] }

  let date: String?
  let out: String?

  init(_ input: borrowing Input) throws(UsageError) {
    if input[GlobalOptions.json] {
      throw .refused("'\(Self.name)' prints a page, not a report; leave out '--json'")
    }
    date = input[Self.date]
    out = input[Self.out]
    if let date, date.wholeMatch(of: /[0-9]{4}-[0-1][0-9]-[0-3][0-9]/) == nil {
      throw .refused("'\(date)' isn't a date such as 2026-08-01")
    }
    if out == "" { throw .refused("'--out' needs the name of a folder") }
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let today = String(WallClock.now().text.prefix(10))
    let pages = tool.manPages(date: date ?? today)
    guard let out else {
      try terminal.output.print(pages.first?.text ?? "")
      return 0
    }
    do throws(SystemError) {
      for page in pages {
        try FileSystem.replace(
          "\(out)/\(page.name).1", with: Array(page.text.utf8), mode: 0o644,
          suffix: FileSystem.draftSuffix)
      }
    } catch {
      throw Failure(.cannotCreate, "\(error); check the folder")
    }
    return 0
  }
}
