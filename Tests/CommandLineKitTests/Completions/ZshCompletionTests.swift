import CommandLineKit
import Foundation
import Testing

@Suite struct ZshCompletionTests {
  /// Types a line and a tab into a Zsh of its own, behind a pseudo terminal, and prints what the
  /// completion system is given to offer: zshmodules(1), "The zsh/zpty Module".
  private let typist = #"""
    zmodload zsh/zpty
    zpty inner zsh -f -i
    zpty -w inner 'PROMPT= RPROMPT= PS2='
    zpty -w inner 'autoload -Uz compinit && compinit -D -u'
    zpty -w inner "source ${(q)1}; cd ${(q)3}"
    zpty -w inner '
    zstyle ":completion:*" insert-tab false
    bindkey "^I" complete-word
    mark() { print -r -- "=== mark" }
    compprefuncs=(mark)
    comppostfuncs=(mark)
    compadd() {
      if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
        builtin compadd "$@"
        return
      fi
      local -a hits
      builtin compadd -A hits "$@"
      (( $#hits )) && print -rl -- "offer:"$^hits
      builtin compadd "$@"
    }'
    zpty -w inner 'print ready-$((1+1))'
    while zpty -r inner chunk '*ready-2*'; do break; done
    zpty -n -w inner "$2"$'\t'
    integer marks=0
    while zpty -r inner chunk; do
      [[ $chunk == *"=== mark"* ]] && (( ++marks == 2 )) && break
      [[ $chunk == *offer:* ]] && print -r -- ${${chunk##*offer:}%%$'\r'*}
    done
    zpty -d inner

    """#

  private func offers(_ line: String) throws -> [String]? {
    let script = FileManager.default.temporaryDirectory.appending(path: "library-\(UUID()).zsh")
    try library.completionScript(for: .zsh).write(to: script, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: script) }
    let output = try withCards { directory in
      try run("zsh", ["-f", "-s", "--", script.path, line, directory], input: typist)
    }
    // Descriptions follow after a colon, and both are quoted for the line.
    return output.map { text, _ in
      text.split(separator: "\n").map { line in
        let word = line.prefix { $0 != ":" }
        return String(word.filter { $0 != "\\" })
      }
    }
  }

  @Test(
    arguments: [
      CompletionCase("library ", ["copy", "find", "help", "lend", "shelf"]),
      CompletionCase("library l", ["lend"]),
      CompletionCase("library shelf m", ["move"]),
      CompletionCase("library help shelf ", ["help", "list", "move"]),
      CompletionCase("library --json shelf ", ["help", "list", "move"]),
      CompletionCase("library find --f", ["--format"]),
      CompletionCase("library find --format ", ["json", "markdown", "text"]),
      CompletionCase("library find --format=m", ["markdown"]),
      CompletionCase("library find --limit ", []),
      CompletionCase("library shelf list -- m", ["markdown"]),
      CompletionCase("library copy ", ["a card", "box", "zebra"]),
      CompletionCase("library find -c ", ["box"]),
    ])
  func `zsh offers what may come next`(expected: CompletionCase) throws {
    guard let offers = try offers(expected.line) else { return }
    #expect(Array(Set(offers)).sorted() == expected.offers)
  }
}
