import Testing

/// Inside a target a folder uses only folders before it, in the order of `Documentation/Architecture.md`.
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

  @Test func `every folder has its place in the drawing`() {
    let repository = Repository.shared
    #expect(Self.misdrawn(repository.sources, repository.drawing) == [])
  }

  @Test func `a folder uses only folders before it`() throws {
    let repository = Repository.shared
    try Exceptions(rule: "folders").expect(Self.upward(repository.sources, repository.drawing))
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
}
