import Testing

/// A `switch` over an error of ours names every case, so that the compiler finds one without words.
struct ErrorTests {
  /// Switches with `default` whose patterns are all cases of one of our errors.
  private static func defaults(_ sources: [SourceFile]) -> [Violation] {
    var cases: [String: Set<String>] = [:]
    var errors: Set<String> = []
    for declaration in sources.flatMap(\.outline.declarations) {
      if case .type(let type, _) = declaration.scope, declaration.keyword == "case" {
        cases[type, default: []].insert(declaration.name)
      }
      if declaration.inherited.contains("Error") { errors.insert(declaration.name) }
    }
    return sources.flatMap { file in
      file.outline.switches.filter(\.hasDefault).compactMap { statement -> Violation? in
        guard !statement.cases.isEmpty else { return nil }
        let candidates = cases.filter { $0.value.isSuperset(of: statement.cases) }.keys
        let isOwn = statement.subject == ["self"] && errors.contains(statement.typeName ?? "")
        let isError = statement.subject.contains("error") || candidates.allSatisfy(errors.contains)
        guard isOwn || isError && candidates.contains(where: errors.contains) else { return nil }
        let names = candidates.filter(errors.contains).sorted().joined(separator: " or ")
        return Violation(
          "\(file.path): \(names)",
          "\(file.path):\(statement.line): default in a switch over \(names)")
      }
    }
  }

  @Test func `a switch over our own errors has no default`() throws {
    expectNone("errors", Self.defaults(Repository.shared.sources))
  }

  @Test func `a default in a switch over an error is found`() {
    let file = SourceFile(
      "Sources/A/A.swift",
      """
      enum StoreError: Error { case locked(path: String), full }
      enum Colour { case red, green }
      extension StoreError {
        var text: String {
          switch self {
          case .locked(let path): path
          default: "unexpected"
          }
        }
        var status: Int {
          switch self {
          case .locked: if case .red = Colour.red { 1 } else { 2 }
          case .full: 3
          }
        }
      }
      func colour(_ colour: Colour) -> Int {
        switch colour { case .red: 1 default: 2 }
      }
      func status(_ thrown: StoreError) -> Int {
        switch thrown {
        case .full: 1
        default: 2
        }
      }
      """)
    #expect(
      Self.defaults([file]).map(\.detail) == [
        "Sources/A/A.swift:5: default in a switch over StoreError",
        "Sources/A/A.swift:21: default in a switch over StoreError",
      ])
  }
}
