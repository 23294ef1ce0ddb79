import SafeText
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import outbox_migrate

@Suite struct OutputTests {
  @Test(
    arguments: [
      (0, "0"), (7, "7"), (999, "999"), (1_000, "1,000"), (1_204, "1,204"),
      (1_000_000, "1,000,000"), (-12_345, "-12,345"), (-123, "-123"),
      (Int64.min, "-9,223,372,036,854,775,808"),
    ] as [(Int64, String)])
  func `numbers have commas between thousands`(number: Int64, text: String) {
    #expect(number.grouped == text)
  }

  @Test(
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1 KB"), (40_960, "41 KB"),
      (999_400, "999 KB"), (999_500, "1.0 MB"), (12_430_000, "12.4 MB"), (100_000_000, "100 MB"),
      (999_949_999, "1.0 GB"), (3_210_000_000, "3.2 GB"), (5_500_000_000_000_000, "5500 TB"),
    ] as [(Int64, String)])
  func `sizes are told in the unit that people would use`(bytes: Int64, text: String) {
    #expect(bytes.byteSize == text)
  }

  @Test(arguments: [
    ("default.store", "default.store"), ("it's here", "it's here"), ("Zoë", "Zoë"),
    ("a\u{1b}[31mb", "a\\u{1b}[31mb"), ("a\nb\tc", "a\\nb\\tc"), ("a\u{7f}", "a\\u{7f}"),
    ("a\u{9b}31m", "a\\u{9b}31m"), ("evil\u{202e}txt", "evil\\u{202e}txt"),
    ("a\u{2028}b", "a\\u{2028}b"),
  ])
  func `nothing that moves a cursor is printed`(text: String, printed: String) {
    #expect(text.printable == printed)
  }

  @Test(arguments: [
    "default.store", "it's here.store", "", "$HOME", "a\"b", "back\\slash", "two  spaces", "~",
    "tab\tnew\nline", "esc\u{1b}' \\", "-dash", "*", "Zoë", "!x", "#x", "a;b", "\u{202e}",
  ])
  func `a shell reads a quoted word as it was`(word: String) throws {
    let bash = "/bin/bash"
    guard FileManager.default.isExecutableFile(atPath: bash) else {
      print("skipped: '\(bash)' isn't installed")
      return
    }
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: bash)
    process.arguments = ["-c", "printf %s \(word.shellWord)"]
    process.standardOutput = pipe
    try process.start()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(String(decoding: bytes, as: UTF8.self) == word)
  }

  @Test(arguments: [
    (#"my\ store"#, "my store"), (#""a b".store"#, "a b.store"), ("'it'\\''s'", "it's"),
    ("'a\\b'", #"a\b"#), (#""c\d \"e""#, #"c\d "e"#), ("plain", "plain"), (#""open"#, "open"),
  ])
  func `a typed word loses its quotes`(typed: String, word: String) {
    #expect(typed.withoutShellQuotes == word)
  }

  @Test func `no command takes a path for an option`() {
    #expect("-rf".shellPath == "./-rf")
    #expect("default.store".shellPath == "default.store")
  }

  @Test func `columns are as wide as their widest cell, and nothing stands after the last`() {
    let columns = Columns(
      rows: [
        ["+", "one", "1 row", "x"], ["-", "three", "1,204 rows"],
        ["~", "a cell at the end of its row"], [""],
      ], rightAligned: [2])
    #expect(
      columns.lines(Style()) == [
        "  +   one         1 row   x",
        "  -   three   1,204 rows",
        "  ~   a cell at the end of its row",
        "",
      ])
  }

  @Test func `colours take no room`() {
    let columns = Columns(rows: [[Cell("ab", .good), "c"], ["abc", "d"]], indent: 0, gap: 1)
    #expect(columns.lines(Style(isColored: true)) == ["\u{1b}[32mab\u{1b}[0m  c", "abc d"])
  }
}
