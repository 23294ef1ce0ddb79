import Testing

/// Inside a target a folder uses only folders before it, in the order of `Documentation/Architecture.md`;
/// its tests lie in folders of the same names.
struct FolderTests {
  /// Folders that the drawing leaves out or makes up.
  private static func misdrawn(_ sources: [SourceFile], _ drawing: Drawing) -> [String] {
    let found = Dictionary(grouping: sources, by: \.target).mapValues { Set($0.map(\.folder)) }
      .filter { $0.value != ["."] }
    return Set(found.keys).union(drawing.folders.keys).sorted().flatMap { target in
      let (there, drawn) = (found[target] ?? [], Set(drawing.folders[target] ?? []))
      return there.subtracting(drawn).sorted().map { "\(target): \($0) isn't in Architecture.md" }
        + drawn.subtracting(there).sorted().map { "\(target): \($0) is only in Architecture.md" }
    }
  }

  /// Uses of folders that stand behind the user's.
  private static func upward(_ sources: [SourceFile], _ drawing: Drawing) -> [Violation] {
    let names = FolderNames(sources)
    return sources.flatMap { file -> [Violation] in
      guard let order = drawing.folders[file.target], let own = order.firstIndex(of: file.folder)
      else { return [] }
      return names.uses(in: file).compactMap { use in
        guard let other = order.firstIndex(of: use.owner.folder), other > own else { return nil }
        return Violation(
          "\(file.target): \(file.name) → \(use.owner.name)",
          """
          \(file.target): \(file.folder)/\(file.name) → \(use.owner.folder)/\(use.owner.name): \
          \(use.names.joined(separator: ", "))
          """)
      }
    }
  }

  /// Tests of a target in a folder that the target doesn't have, or not in the folder of their file.
  private static func misplaced(_ tests: [SourceFile], _ sources: [SourceFile]) -> [String] {
    let folders = Dictionary(grouping: sources, by: \.target).mapValues { files in
      Dictionary(grouping: files, by: \.name).mapValues { Set($0.map(\.folder)) }
    }
    return tests.compactMap { test in
      guard test.target.hasSuffix("Tests"), let files = folders[String(test.target.dropLast(5))]
      else { return nil }
      if let owners = files[test.name.replacing("Tests.swift", with: ".swift")] {
        return owners.contains(test.folder)
          ? nil : "\(test.path): its source is in \(owners.sorted().joined(separator: ", "))"
      }
      let isKnown = test.folder == "." || files.values.contains { $0.contains(test.folder) }
      return isKnown ? nil : "\(test.path): the source has no folder \(test.folder)"
    }
  }

  @Test func `every folder has its place in the drawing`() {
    let repository = Repository.shared
    #expect(Self.misdrawn(repository.sources, repository.drawing) == [])
  }

  @Test func `a folder uses only folders before it`() throws {
    let repository = Repository.shared
    expectNone("folders", Self.upward(repository.sources, repository.drawing))
  }

  @Test func `tests lie as the source lies`() {
    let repository = Repository.shared
    #expect(Self.misplaced(repository.tests, repository.sources) == [])
  }

  // MARK: - Tests of the rules

  private static let drawing = Drawing(
    """
    | target | folders |
    |---|---|
    | `T` | Low → High → Gone |
    """)

  @Test func `a use of a later folder is found`() {
    let low = SourceFile(
      "Sources/T/Low/Low.swift",
      #"""
      // A High in a comment.
      struct Low { let text = "High", shown = "\(String(describing: High.self))" }
      func low(highest: Int, common: Int) { low(highest: 1, common: common).raised() }
      """#)
    let high = SourceFile(
      "Sources/T/High/High.swift",
      """
      struct High { let low: Low }
      extension Low { func raised() {}; var common: Int { 1 } }
      let highest = 1
      """)
    let found = Self.upward([low, high], Self.drawing)
    #expect(
      found == [
        Violation(
          "T: Low.swift → High.swift", "T: Low/Low.swift → High/High.swift: High, raised")
      ])
  }

  @Test func `a folder without a place is found, and a place without a folder`() {
    let files = ["Low", "High", "New"].map { SourceFile("Sources/T/\($0)/A.swift", "") }
    #expect(
      Self.misdrawn(files, Self.drawing) == [
        "T: New isn't in Architecture.md", "T: Gone is only in Architecture.md",
      ])
  }

  @Test func `a test that doesn't lie as its source is found`() {
    let sources = ["T/Low/A.swift", "T/High/B.swift"].map { SourceFile("Sources/\($0)", "") }
    let tests = [
      "TTests/Low/ATests.swift", "TTests/Low/OtherTests.swift", "TTests/Support.swift",
      "TTests/Low/BTests.swift", "TTests/Own/CTests.swift", "UTests/Own/CTests.swift",
    ]
    #expect(
      Self.misplaced(tests.map { SourceFile("Tests/\($0)", "") }, sources) == [
        "Tests/TTests/Low/BTests.swift: its source is in High",
        "Tests/TTests/Own/CTests.swift: the source has no folder Own",
      ])
  }
}
