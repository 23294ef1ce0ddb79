import CommandLineKit
import Testing

@Suite struct ManPageTests {
  private let pages = library.manPages(date: "2026-08-01")

  private var page: String { pages[0].text }

  private func page(_ name: String) throws -> String {
    try #require(pages.first { $0.name == name }).text
  }

  @Test func `the page says what the help says`() throws {
    let lines = page.split(separator: "\n").map(String.init)
    #expect(lines.first == #".TH LIBRARY 1 "2026\-08\-01" "library 1.2.3" "User Commands""#)
    #expect(lines.contains(#"library \- Lend books and take them back"#))
    #expect(lines.contains(#"[\-\-keep\-marks\ |\ \-\-erase\-marks]"#))
    #expect(lines.contains(#"<word>...\&"#))
    #expect(lines.contains(#".B library\-shelf\-list(1)"#))
    #expect(lines.contains(#".B \-c, \-\-catalogue <directory>"#))
    #expect(
      lines.suffix(7) == [
        ".TP", ".B 64", "misuse", ".SH FILES", ".TP", ".B Cards/*",
        #"The cards of \(dqthe\(dq books."#,
      ])
    let sections = lines.filter { $0.hasPrefix(".SH") }.map { $0.dropFirst(4) }
    #expect(
      sections == [
        "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "EXIT STATUS", "FILES",
      ])
  }

  @Test func `each command has a page`() throws {
    #expect(
      pages.map(\.name) == [
        "library", "library-find", "library-lend", "library-copy", "library-shelf-list",
        "library-shelf-move",
      ])
    let lines = try page("library-find").split(separator: "\n").map(String.init)
    #expect(lines.first == #".TH LIBRARY\-FIND 1 "2026\-08\-01" "library 1.2.3" "User Commands""#)
    #expect(lines.contains(#"library\-find \- Find books by words of their titles"#))
    #expect(lines.contains("How to print. (values: text, json, markdown; default: text)"))
    #expect(lines.contains("the book is lent \\- ask again"))
    let sections = lines.filter { $0.hasPrefix(".SH") }.map { $0.dropFirst(4) }
    #expect(
      sections == [
        "NAME", "SYNOPSIS", "DESCRIPTION", "ARGUMENTS", "OPTIONS", "EXIT STATUS", "SEE ALSO",
      ])
  }

  @Test func `lines that begin with a space are kept, and quotes mean nothing to roff`() {
    #expect(page.contains("\n.nf\n  library find \\(aqMoby\\-Dick\\(aq\n.PP\n.fi\n"))
  }

  @Test func `what is hidden isn't shown`() {
    #expect(!pages.contains { $0.text.contains("burn") || $0.text.contains("seed") })
  }

  @Test func `groff has nothing to complain of`() throws {
    for page in pages {
      guard
        let (output, status) = try run("groff", ["-man", "-Tutf8", "-ww", "-z"], input: page.text)
      else { return }
      #expect(output == "", "\(page.name)")
      #expect(status == 0, "\(page.name)")
    }
  }
}
