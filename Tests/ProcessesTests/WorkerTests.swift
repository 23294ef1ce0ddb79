import Platform
import Processes
import Testing

/// Processes that work on one word after another; here Bash plays their side.
@Suite struct WorkerTests {
  /// Answers with the word and the process's number; ends on some words.
  private static let script = """
    LC_ALL=C
    work() {
      case "$1" in
        killed*) kill -KILL $$ ;;
        quits*) printf 'half of it'; exit 3 ;;
        large*) head -c 300000 /dev/zero | tr '\\0' x ;;
      esac
      printf '%s %s\\0%d\\0' "$1" $$ "${#1}"
      # One that ends after its answer, before or after the next word is sent.
      case "$1" in leaves*) exit 4 ;; esac
    }
    work "$1"
    while IFS= read -r -d '' word; do work "$word"; done
    """

  init() { ignoreWriteSignals() }

  private func answers(
    to words: [String], atOnce limit: Int, script: String = Self.script
  ) throws -> [Int: Program.Outcome] {
    var found: [Int: Program.Outcome] = [:]
    try Program.distribute(words, to: ["/bin/bash", "-c", script, "bash"], atOnce: limit) {
      #expect(found.updateValue($1, forKey: $0) == nil)
    }
    return found
  }

  private func text(_ outcome: Program.Outcome?) -> [Substring] {
    String(decoding: outcome?.output ?? [], as: UTF8.self).split(separator: " ")
  }

  @Test(arguments: [1, 3, 40])
  func `each word is answered once, by few processes`(limit: Int) throws {
    let words = (0..<25).map { "word\($0)" } + ["", "with\nlines", "é"]
    let found = try answers(to: words, atOnce: limit)
    #expect(found.count == words.count)
    for (index, word) in words.enumerated() {
      let outcome = try #require(found[index])
      #expect(String(decoding: outcome.output, as: UTF8.self).hasPrefix(word + " "))
      #expect(outcome.status == word.utf8.count && outcome.signal == nil)
    }
    let processes = Set(found.values.compactMap { text($0).last })
    #expect(processes.count <= limit && (limit < 40 || processes.count == words.count))
  }

  @Test func `a process that ends takes only its own word with it`() throws {
    let words = ["a", "killed", "b", "quits", "c", "killed too", "d"]
    let found = try answers(to: words, atOnce: 1)
    #expect(found.count == words.count)
    #expect(found[1]?.signal == 9 && found[1]?.status == 137 && found[5]?.status == 137)
    #expect(found[3]?.status == 3 && text(found[3]) == ["half", "of", "it"])
    for index in [0, 2, 4, 6] { #expect(text(found[index]).first == Substring(words[index])) }
    // Each end is followed by another process.
    #expect(Set([0, 2, 4, 6].map { text(found[$0]).last }).count == 4)
  }

  @Test func `a process that leaves after its answer may take the next word with it`() throws {
    for _ in 0..<20 {
      let found = try answers(to: ["leaves", "b", "leaves too", "c"], atOnce: 2)
      #expect(found.count == 4)
      for (index, word) in ["leaves", "b", "leaves", "c"].enumerated() {
        let isAnswered = text(found[index]).first == Substring(word)
        #expect(isAnswered || found[index]?.status == 4, "\(index)")
      }
      #expect(text(found[0]).first == "leaves")
    }
  }

  @Test func `a long answer arrives whole`() throws {
    let found = try answers(to: ["large", "small"], atOnce: 1)
    #expect(found[0]?.output.count ?? 0 > 300_000)
    #expect(text(found[1]).first == "small")
  }

  @Test func `an error in between ends the processes and gives out no more`() throws {
    struct Refusal: Error {}
    var count = 0
    #expect(throws: Refusal.self) {
      try Program.distribute(
        ["a", "b", "c", "d"], to: ["/bin/bash", "-c", Self.script, "bash"], atOnce: 1
      ) { _, _ in
        count += 1
        throw Refusal()
      }
    }
    #expect(count == 1)
    let error = #expect(throws: SystemError.self) {
      try Program.distribute(["a"], to: ["/no/such/program"], atOnce: 2) { _, _ in }
    }
    #expect(error?.isNotFound == true)
  }
}
