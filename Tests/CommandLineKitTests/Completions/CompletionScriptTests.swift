import CommandLineKit
import Testing

/// A line being typed, the cursor at its end, and what a shell should offer there.
struct CompletionCase: Sendable, CustomTestStringConvertible {
  let line: String
  let offers: [String]

  init(_ line: String, _ offers: [String]) {
    self.line = line
    self.offers = offers
  }

  var testDescription: String { line }
}

/// What Bash and Fish agree on.
private let completionCases = [
  CompletionCase("library ", ["copy", "find", "help", "lend", "shelf"]),
  CompletionCase("library l", ["lend"]),
  CompletionCase("library shelf ", ["help", "list", "move"]),
  CompletionCase("library shelf m", ["move"]),
  CompletionCase("library help shelf ", ["help", "list", "move"]),
  CompletionCase("library --json shelf ", ["help", "list", "move"]),
  CompletionCase("library -c elsewhere shelf ", ["help", "list", "move"]),
  CompletionCase("library --catalogue shelf f", ["find"]),
  CompletionCase("library find --f", ["--format"]),
  CompletionCase("library shelf list --j", ["--json"]),
  CompletionCase("library burn --f", []),
  CompletionCase("library lend --see", []),
  CompletionCase("library find --format ", ["json", "markdown", "text"]),
  CompletionCase("library find --format j", ["json"]),
  CompletionCase("library find whale --skip p", ["plays", "poems"]),
  CompletionCase("library find --limit ", []),
  CompletionCase("library find ", []),
  CompletionCase("library shelf list ", ["json", "markdown", "text"]),
  CompletionCase("library shelf list -- m", ["markdown"]),
  CompletionCase("library shelf list text ", []),
  CompletionCase("library copy ", ["a card", "box", "zebra"]),
  CompletionCase("library copy --stamp 3 zebra z", ["zebra"]),
  CompletionCase("library copy --stamp ", ["stamps--copy"]),
  CompletionCase("library copy --stamp s", ["stamps--copy"]),
  CompletionCase("library copy --stamp t", []),
  CompletionCase("library lend ", []),
  CompletionCase("library lend 7 z", ["zebra"]),
  CompletionCase("library find --catalogue b", ["box"]),
  CompletionCase("library find -c ", ["box"]),
]

@Suite struct CompletionScriptTests {
  /// Bash cuts a line into words at spaces and at equals signs, see COMP_WORDBREAKS in bash(1).
  private func bashWords(_ line: String) -> [String] {
    let apart = line.split(separator: "=", omittingEmptySubsequences: false).joined(
      separator: " = ")
    let words = apart.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    return words.last == "" && line.hasSuffix("=") ? words.dropLast() : words
  }

  private func bashOffers(_ line: String) throws -> (String, Int32)? {
    let words = bashWords(line).map { "'\($0)'" }.joined(separator: " ")
    return try withCards { directory in
      try run(
        "bash", ["--norc", "-s"],
        input: library.completionScript(for: .bash) + """
          cd '\(directory)'
          library() { echo "$1$2$3"; }
          COMP_WORDS=(\(words))
          COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
          _library
          ((${#COMPREPLY[@]})) && printf '%s\\n' "${COMPREPLY[@]}" | sort
          exit 0

          """)
    }
  }

  @Test(
    arguments: completionCases + [
      CompletionCase("library find --format=", ["json", "markdown", "text"]),
      CompletionCase("library find --format=m", ["markdown"]),
      CompletionCase("library find --format=text whale --j", ["--json"]),
      CompletionCase(
        "library shelf move -",
        ["--catalogue", "--help", "--json", "--quiet", "--version", "-c", "-h", "-q"]),
    ])
  func `bash offers what may come next`(expected: CompletionCase) throws {
    guard let (output, status) = try bashOffers(expected.line) else { return }
    #expect(output.split(separator: "\n").map(String.init) == expected.offers)
    #expect(status == 0)
  }

  @Test(
    arguments: completionCases + [
      CompletionCase("library find --format=m", ["--format=markdown"]),
      CompletionCase(
        "library shelf move --", ["--catalogue", "--help", "--json", "--quiet", "--version"]),
    ])
  func `fish offers what may come next`(expected: CompletionCase) throws {
    let output = try withCards { directory in
      try run(
        "fish", ["--no-config"],
        input: library.completionScript(for: .fish) + """
          cd '\(directory)'
          function library; echo "$argv[1]$argv[2]$argv[3]"; end
          complete -C '\(expected.line)'

          """)
    }
    guard let (text, status) = output else { return }
    // Fish adds a description after a tab, a slash to directories, and backslashes where needed.
    let offers = text.split(separator: "\n").map { line in
      let word = line.prefix { $0 != "\t" }.filter { $0 != "\\" }
      return word.hasSuffix("/") ? String(word.dropLast()) : word
    }
    #expect(offers.sorted() == expected.offers)
    #expect(status == 0)
  }

  @Test(arguments: Shell.allCases)
  func `a script has no syntax errors`(shell: Shell) throws {
    let script = library.completionScript(for: shell)
    #expect(script.contains("library completion for"))
    guard let (output, status) = try run(shell.rawValue, ["-n"], input: script) else { return }
    #expect(output == "")
    #expect(status == 0)
  }

  @Test(arguments: Shell.allCases)
  func `a script keeps what is hidden to itself`(shell: Shell) {
    let script = library.completionScript(for: shell)
    #expect(!script.contains("burn"))
    #expect(!script.contains("--seed"))
  }
}
