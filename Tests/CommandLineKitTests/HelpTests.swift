import TestSupport
import Testing

@testable import CommandLineKit

@Suite struct HelpTests {
  @Test func `the help of a tool lists its subcommands`() {
    #expect(
      library.help(at: ["library"]) == """
        OVERVIEW: Lend books and take them back.

        The catalogue is a directory of cards. Every command reads it, and none of them
        changes a card it wasn't asked to change.

          library find 'Moby-Dick'

        Cards are never thrown away.

        USAGE: library <subcommand>

        OPTIONS:
          -c, --catalogue <directory>
                                  Where the cards are. (default: Cards)
          --json                  Print JSON.
          -q, --quiet             Print less.
          --version               Show the version.
          -h, --help              Show help information.

        SUBCOMMANDS:
          find                    Find books by words of their titles.
          lend                    Lend a book to a reader.
          copy                    Copy cards into a box.
          shelf                   Work with shelves.

          See 'library help <subcommand>' for detailed help.

        """)
  }

  @Test func `the help of a command shows choices, defaults and repetition`() {
    #expect(
      library.help(at: ["library", "find"]) == """
        OVERVIEW: Find books by words of their titles.

        USAGE: library find <word>... [--format <format>] [--limit <n>]
               [--skip <shelf>]... [--verbose]

        ARGUMENTS:
          <word>...               A word of the title.

        OPTIONS:
          --format <format>       How to print. (values: text, json, markdown; default:
                                  text)
          -n, --limit <n>         Print at most this many.
          --skip <shelf>          A shelf to leave out; may be repeated.
          -v, --verbose           Print more.
          -c, --catalogue <directory>
                                  Where the cards are. (default: Cards)
          --json                  Print JSON.
          -q, --quiet             Print less.
          --version               Show the version.
          -h, --help              Show help information.

        """)
  }

  @Test(arguments: [
    (
      ["library", "lend"],
      "library lend <book> [<reader>] [--for <duration>] [--keep-marks | --erase-marks]"
    ),
    (["library", "copy"], "library copy [<card>...] <box> --stamp <n>"),
    (["library", "shelf", "list"], "library shelf list [<kind>]"),
    (["library", "shelf"], "library shelf <subcommand>"),
  ])
  func `a usage line distinguishes required from optional parameters`(
    path: [String], expected: String
  ) {
    #expect(library.outline.at(path).usage == expected)
  }

  @Test(arguments: [40, 60, 80, 120, 200])
  func `help keeps within its width`(width: Int) {
    for outline in library.outline.all {
      for line in outline.help(width: width).split(separator: "\n") {
        #expect(line.count <= width || !line.dropFirst(26).contains(" "), "\(line)")
      }
    }
  }

  @Test func `help omits hidden parameters`() {
    let pages = library.outline.allVisible.map { $0.help() }.joined()
    #expect(!pages.contains("burn"))
    #expect(!pages.contains("--seed"))
  }

  @Test func `words are filled into lines as far as they fit`() {
    let seed = printedSeed()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let words = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
        String(repeating: "x", count: .random(in: 1...12, using: &generator))
      }
      let (width, indent) = (
        Int.random(in: 12...40, using: &generator), Int.random(in: 0...6, using: &generator)
      )
      let text = Layout(width: width).filled("", words, indent: indent)
      #expect(text == slowlyFilled(words, width: width, indent: indent))
    }
  }

  /// Tries each word on the last line, and begins another when the line grows too long.
  private func slowlyFilled(_ words: [String], width: Int, indent: Int) -> String {
    var lines = [words.first ?? ""]
    for word in words.dropFirst() {
      let longer = lines[lines.count - 1] + " " + word
      if longer.count <= width {
        lines[lines.count - 1] = longer
      } else {
        lines.append(String(repeating: " ", count: indent) + word)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
