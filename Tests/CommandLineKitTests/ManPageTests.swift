import CommandLineKit
import Testing

@Suite struct ManPageTests {
  private let page = library.manPage(date: "2026-08-01")

  @Test func `the page says what the help says`() throws {
    let lines = page.split(separator: "\n").map(String.init)
    #expect(lines.first == #".TH LIBRARY 1 "2026\-08\-01" "library 1.2.3" "User Commands""#)
    #expect(lines.contains(#"library \- Lend books and take them back"#))
    #expect(lines.contains(#"[\-\-keep\-marks\ |\ \-\-erase\-marks]"#))
    #expect(lines.contains(#"<word>...\&"#))
    #expect(lines.contains(#".SS "shelf list""#))
    #expect(lines.contains(#".B \-c, \-\-catalogue <directory>"#))
    #expect(lines.contains("How to print. (values: text, json, markdown; default: text)"))
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

  @Test func `lines that begin with a space are kept, and quotes mean nothing to roff`() {
    #expect(page.contains("\n.nf\n  library find \\(aqMoby\\-Dick\\(aq\n.PP\n.fi\n"))
  }

  @Test func `what is hidden isn't shown`() {
    #expect(!page.contains("burn"))
    #expect(!page.contains("seed"))
  }

  @Test func `groff has nothing to complain of`() throws {
    guard let (output, status) = try run("groff", ["-man", "-Tutf8", "-ww", "-z"], input: page)
    else { return }
    #expect(output == "")
    #expect(status == 0)
  }
}
