import Testing

/// A type's name is its own in the package, and `public` is what other packages see.
struct NameTests {
  /// Types at top level whose name another one has.
  private static func doubles(_ sources: [SourceFile]) -> [Violation] {
    var places: [String: [String]] = [:]
    for file in sources {
      for declaration in file.outline.declarations
      where declaration.scope == .file && declaration.isType {
        places[declaration.name, default: []].append("\(file.path):\(declaration.line)")
      }
    }
    return places.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }
      .map { Violation($0.key, "\($0.key): \($0.value.joined(separator: ", "))") }
  }

  /// Files that declare something public in a target of no library.
  private static func exposed(_ sources: [SourceFile], _ manifest: Manifest) -> [Violation] {
    sources.filter { !manifest.libraryTargets.contains($0.target) }.compactMap { file in
      guard let token = file.tokens.first(where: { $0.is("public") })
      else { return nil }
      return Violation(file.path, "\(file.path):\(token.line): public, and no library's product")
    }
  }

  @Test func `no two types have one name`() throws {
    expectNone("names", Self.doubles(Repository.shared.sources))
  }

  @Test func `only libraries have public declarations`() throws {
    let repository = Repository.shared
    expectNone("public", Self.exposed(repository.sources, repository.manifest))
  }

  // MARK: - Tests of the rules

  @Test func `two types of one name are found`() {
    let files = [
      SourceFile("Sources/A/A.swift", "package struct Row {}\nstruct Own { struct Inner {} }\n"),
      SourceFile("Sources/B/B.swift", "\nprivate enum Row {}\nstruct Inner {}\n"),
    ]
    #expect(
      Self.doubles(files) == [Violation("Row", "Row: Sources/A/A.swift:1, Sources/B/B.swift:2")])
  }

  @Test func `what is public in no library is found`() {
    let manifest = Manifest(
      SourceFile("Package.swift", #"x(products: [.library(name: "A", targets: ["A"])])"#))
    let files = ["A", "B"].map {
      SourceFile("Sources/\($0)/F.swift", "// public\npublic struct \($0) {}\n")
    }
    #expect(Self.exposed(files, manifest).map(\.key) == ["Sources/B/F.swift"])
  }
}
