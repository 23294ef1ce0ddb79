import Testing

/// Random numbers of tests come from a seed that is printed.
struct SeedTests {
  /// Calls of the system's generator.
  private static func unseeded(_ tests: [SourceFile]) -> [Violation] {
    let methods: Set = ["random", "randomElement", "shuffled", "shuffle"]
    return tests.filter { $0.target != "TestSupport" }.flatMap { file in
      file.tokens.indices.compactMap { place -> Violation? in
        let token = file.tokens[place]
        let isCall =
          methods.contains(token.text) && place > 0 && file.tokens[place - 1].is(".")
          && !hasGenerator(file.tokens, from: place + 1)
        guard isCall || token.is("SystemRandomNumberGenerator") else { return nil }
        return Violation(file.path, "\(file.path):\(token.line): \(token.text)")
      }
    }
  }

  /// Whether the call whose parenthesis stands here is told what to use.
  private static func hasGenerator(_ tokens: [SwiftToken], from start: Int) -> Bool {
    guard start < tokens.count, tokens[start].is("(") else { return true }
    var depth = 0
    for token in tokens[start...] {
      if token.is("(") { depth += 1 }
      if token.is(")") { depth -= 1 }
      if depth == 0 { return false }
      if token.is("using") { return true }
    }
    return false
  }

  @Test func `randomness has a seed`() throws {
    expectNone("seeds", Self.unseeded(Repository.shared.tests))
  }

  @Test func `randomness without a seed is found`() {
    let file = SourceFile(
      "Tests/A/A.swift",
      """
      let seed = UInt64.random(in: 0...9)
      let number = Int.random(in: 0..<max(1, 2), using: &generator)
      let some = all.shuffled().prefix(3)
      """)
    #expect(
      Self.unseeded([file]).map(\.detail) == [
        "Tests/A/A.swift:1: random", "Tests/A/A.swift:3: shuffled",
      ]
    )
  }
}
