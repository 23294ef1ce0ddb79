import Testing

/// Prose is plain: the worst of what the project used to say occurs nowhere.
struct VoiceTests {
  private static let worst = Wording([
    "what of", "whoever", "to be had", "of none", "there is none", "makes nothing up",
    "make nothing up", "by itself", "anew", "meanwhile.", "tells", "look at", "looks at",
    "looked at", "way back", "by marks", "equal marks", "marks that only", "is owed",
  ])

  /// What comments say for `nil`.
  private static let none = Wording([
    "none where", "none if", "none when", "none while", "none for", "; none",
  ])

  /// The list itself, its test, and what others wrote.
  private static func isExempt(_ path: String) -> Bool {
    path.hasSuffix("/VoiceTests.swift") || path.contains("/Corpus/")
  }

  private static func findings(in files: [(path: String, bytes: [UInt8])]) -> [Violation] {
    files.filter { !isExempt($0.path) }.flatMap { file in
      worst.findings(in: file.bytes)
        .map { Violation(file.path, "\(file.path):\($0.line): “\($0.phrase)”") }
    }
  }

  private static func nones(in files: [SourceFile]) -> [Violation] {
    files.filter { !isExempt($0.path) }.flatMap { file in
      file.comments.filter(\.isDocumentation).flatMap { comment in
        none.findings(in: Array(comment.lines.joined(separator: "\n").utf8), fromLine: comment.line)
          .map { Violation(file.path, "\(file.path):\($0.line): “\($0.phrase)”") }
      }
    }
  }

  @Test func `the worst words occur nowhere`() throws {
    expectNone("words", Self.findings(in: Repository.shared.prose))
  }

  @Test func `documentation says nil`() throws {
    let repository = Repository.shared
    expectNone("nil", Self.nones(in: repository.sources + repository.tests))
  }

  // MARK: - Tests of the rules

  @Test func `words are found across lines, and not in other words`() {
    let text = """
      /// It looks AT them. Renewed, foretells.
      /// The column is checked by
      /// itself, and made anew.
      """
    #expect(
      Self.findings(in: [("Sources/A.swift", Array(text.utf8))]).map(\.detail) == [
        "Sources/A.swift:1: “looks at”", "Sources/A.swift:2: “by itself”",
        "Sources/A.swift:3: “anew”",
      ])
  }

  @Test func `none is found in documentation only`() {
    let file = SourceFile(
      "Sources/A/A.swift",
      """
      // There are none where nothing is.
      /// The row's name; none
      /// where it has none.
      var name: String?
      """)
    #expect(
      Self.nones(in: [file]).map(\.detail) == [
        "Sources/A/A.swift:2: “; none”"
      ])
  }
}
