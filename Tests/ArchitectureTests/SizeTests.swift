import Testing

/// Targets, files, functions and summaries are short enough to read at once.
struct SizeTests {
  private static func largeTargets(_ sources: [SourceFile], limit: Int) -> [Violation] {
    Dictionary(grouping: sources, by: \.target)
      .mapValues { $0.reduce(0) { $0 + $1.lineCount } }.filter { $0.value > limit }
      .sorted { $0.key < $1.key }.map { Violation($0.key, "\($0.key): \($0.value) lines") }
  }

  private static func longFiles(_ files: [SourceFile], limit: Int) -> [Violation] {
    files.filter { $0.lineCount > limit }
      .map { Violation($0.path, "\($0.path): \($0.lineCount) lines") }
  }

  private static func longFunctions(_ files: [SourceFile], limit: Int) -> [Violation] {
    files.flatMap { file in
      file.outline.functions.filter { $0.lineCount > limit }.map {
        Violation(
          "\(file.path): \($0.name)", "\(file.path):\($0.line): \($0.name), \($0.lineCount) lines")
      }
    }
  }

  /// Documentation whose first sentence is longer than the limit, or doesn't end.
  private static func longSummaries(_ files: [SourceFile], limit: Int) -> [Violation] {
    files.flatMap { file in
      file.comments.filter(\.isDocumentation).compactMap { comment in
        let summary = summary(of: comment)
        guard summary.count > limit || !summary.hasSuffix(".") else { return nil }
        return Violation(file.path, "\(file.path):\(comment.line): \(summary)")
      }
    }
  }

  /// The first sentence of a comment.
  ///
  /// It ends with a point before a capital, or with its paragraph.
  private static func summary(of comment: Comment) -> String {
    let text = comment.lines.prefix { !$0.isEmpty }.joined(separator: " ")
    var characters = Array(text)
    for place in characters.indices.dropLast(2)
    where characters[place] == "." && characters[place + 1] == " " {
      let next = characters[place + 2]
      if next.isUppercase || next == "`" {
        characters.removeLast(characters.count - place - 1)
        break
      }
    }
    return String(characters)
  }

  @Test func `no target has more than 10,000 lines`() throws {
    expectNone(
      "targets",
      Self.largeTargets(Repository.shared.sources, limit: 10_000))
  }

  @Test func `no file has more than 300 lines`() throws {
    expectNone("files", Self.longFiles(Repository.shared.sources, limit: 300))
  }

  @Test func `no function has more than 40 lines`() throws {
    expectNone(
      "functions",
      Self.longFunctions(Repository.shared.sources, limit: 40))
  }

  @Test func `documentation begins with a sentence of at most 100 characters`() throws {
    expectNone(
      "summaries",
      Self.longSummaries(Repository.shared.sources, limit: 100))
  }

  // MARK: - Tests of the rules

  private static let file = SourceFile(
    "Sources/A/A.swift",
    """
    /// Short, e.g. this. It has a second sentence.
    struct A {
      /// This sentence is by far too long.
      func long(_ count: Int = [1].count { $0 > 0 }) {
        if count > 0 { print("{") }
      }

      /// No point
      var short: Int { 1 }
      init() {

      }
    }
    """)

  @Test func `what is too large is found`() {
    let files = [Self.file, SourceFile("Sources/B/B.swift", "\n")]
    #expect(Self.largeTargets(files, limit: 11) == [Violation("A", "A: 12 lines")])
    #expect(
      Self.longFiles(files, limit: 11) == [
        Violation("Sources/A/A.swift", "Sources/A/A.swift: 12 lines")
      ])
    #expect(
      Self.longFunctions(files, limit: 2).map(\.detail) == [
        "Sources/A/A.swift:4: long, 3 lines", "Sources/A/A.swift:10: init, 3 lines",
      ])
    #expect(
      Self.longSummaries(files, limit: 20).map(\.detail) == [
        "Sources/A/A.swift:3: This sentence is by far too long.", "Sources/A/A.swift:8: No point",
      ])
  }
}
