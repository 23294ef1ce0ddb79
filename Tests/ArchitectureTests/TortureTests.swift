import Testing

/// `make torture` runs every suite that then tries more.
struct TortureTests {
  /// Files that try more where the Makefile doesn't run them.
  private static func forgotten(_ tests: [SourceFile], makefile: String) -> [Violation] {
    let lines = makefile.split(separator: "\n").filter { $0.hasPrefix("LONG ") }
    let run = Set(lines.joined(separator: "|").split { "=:| ".contains($0) }.map(String.init))
    let words: Set = ["isTorture", "torture"]
    return tests.filter { file in
      !["TestSupport", "ArchitectureTests"].contains(file.target)
        && file.tokens.contains { words.contains($0.text) }
        && run.isDisjoint(with: [file.target, String(file.name.dropLast(".swift".count))])
    }.map { Violation($0.path, $0.path) }
  }

  @Test func `no suite is forgotten`() {
    let makefile = String(decoding: Repository.bytes(of: "Makefile"), as: UTF8.self)
    expectNone("torture", Self.forgotten(Repository.shared.tests, makefile: makefile))
  }

  @Test func `a suite that is forgotten is found`() {
    let files = ["A/One", "A/Two", "B/Three", "C/Four"].map {
      SourceFile("Tests/\($0).swift", "let few = rounds(1, torture: 2)")
    }
    let makefile = "LONG = One|B\nLONG := $(LONG)|Five\nTEST = Two\n"
    #expect(
      Self.forgotten(files, makefile: makefile).map(\.detail) == [
        "Tests/A/Two.swift", "Tests/C/Four.swift",
      ])
  }
}
