import Testing

/// `Package.swift`, the imports and the table in `Documentation/Architecture.md` say the same.
struct GraphTests {
  private static func differences(_ manifest: Manifest, _ drawing: Drawing) -> [String] {
    let drawn = Dictionary(drawing.targets.map { ($0.name, $0) }) { first, _ in first }
    let names = Set(manifest.targets.map(\.name))
    var problems = drawing.targets.filter { !names.contains($0.name) }
      .map { "\($0.name): is in Architecture.md, not in Package.swift" }
    for target in manifest.targets {
      guard let row = drawn[target.name] else {
        problems.append("\(target.name): is in Package.swift, not in Architecture.md's table")
        continue
      }
      problems += target.dependencies.subtracting(row.imports).sorted()
        .map { "\(target.name): Architecture.md doesn't show that it imports \($0)" }
      problems += row.imports.subtracting(target.dependencies).sorted()
        .map { "\(target.name): only Architecture.md says that it imports \($0)" }
    }
    return problems
  }

  /// Rows whose text isn't one sentence, and imports that point up.
  private static func tableProblems(_ drawing: Drawing) -> [String] {
    var problems: [String] = []
    var above: Set<String> = []
    for target in drawing.targets {
      above.insert(target.name)
      problems += target.imports.intersection(above).sorted()
        .map { "\(target.name): imports \($0), which isn't below it in the table" }
      let text = target.sentence
      if text.isEmpty || !text.hasSuffix(".") || text.dropLast().contains(". ") {
        problems.append("\(target.name): “\(text)” isn't one sentence")
      }
      if text.contains(" and ") { problems.append("\(target.name): “\(text)” says “and”") }
    }
    return problems
  }

  /// Imports that `Package.swift` doesn't declare, and declared ones that no file has.
  private static func importProblems(_ manifest: Manifest, _ sources: [SourceFile]) -> [String] {
    let names = Set(manifest.targets.map(\.name))
    var imports: [String: Set<String>] = [:]
    for file in sources {
      for place in file.tokens.indices.dropLast() where file.tokens[place].is("import") {
        imports[file.target, default: []].insert(file.tokens[place + 1].text)
      }
    }
    return manifest.targets.flatMap { target -> [String] in
      guard let found = imports[target.name]?.intersection(names) else { return [] }
      return found.subtracting(target.dependencies).sorted()
        .map { "\(target.name): imports \($0), which Package.swift doesn't declare" }
        + target.dependencies.subtracting(found).sorted()
        .map { "\(target.name): no file imports \($0)" }
    }
  }

  /// The targets that a target imports, directly and indirectly.
  private static func reached(from name: String, in manifest: Manifest) -> Set<String> {
    let targets = Dictionary(manifest.targets.map { ($0.name, $0) }) { first, _ in first }
    var found: Set<String> = []
    var rest = [name]
    while let next = rest.popLast() {
      rest += (targets[next]?.dependencies ?? []).filter { found.insert($0).inserted }
    }
    return found
  }

  @Test func `an app that links OutboxCore links no library of the system`() {
    let manifest = Repository.shared.manifest
    #expect(Self.reached(from: "OutboxCore", in: manifest) == ["JSONText"])
    #expect(Self.reached(from: "OutboxTesting", in: manifest) == ["JSONText", "OutboxCore"])
    let store = Self.reached(from: "OutboxStore", in: manifest)
    #expect(store.isSuperset(of: ["CSQLite", "OutboxCore"]) && !store.contains("Migrations"))
  }

  @Test func `no library has processes, signals or the environment in it`() {
    let repository = Repository.shared
    for product in ["StoreMigration", "OutboxStore", "OutboxCore", "OutboxTesting"] {
      let targets = Self.reached(from: product, in: repository.manifest).union([product])
      #expect(targets.isDisjoint(with: ["Processes", "CProcesses"]))
      #expect(Self.systemUses(of: targets, in: repository.sources) == [])
    }
    #expect(!Self.systemUses(of: ["Processes"], in: repository.sources).isEmpty)
  }

  /// The lines of targets that use what only a program may use.
  private static func systemUses(of targets: Set<String>, in sources: [SourceFile]) -> [String] {
    let names: Set = [
      "getenv", "environ", "posix_spawn", "sigaction", "pthread_sigmask", "ProcessInfo",
    ]
    return sources.filter { source in targets.contains { source.path.hasPrefix("Sources/\($0)/") } }
      .flatMap { source in
        source.tokens.filter { token in
          names.contains { token.is($0) }
            || token.kind == .string && token.text.hasPrefix("/proc")
        }.map { "\(source.path):\($0.line): \($0.text)" }
      }
  }

  /// The categories of calls that need a reason in a privacy manifest, with the names of calls.
  ///
  /// Related documentation:
  /// <https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api>
  private static let privacyCalls: [String: Set<String>] = [
    "FileTimestamp": ["stat", "fstat", "fstatat", "lstat", "getattrlist", "creationDate"],
    "DiskSpace": ["statfs", "fstatfs", "statvfs", "fstatvfs", "systemFreeSize"],
    "SystemBootTime": ["systemUptime", "mach_absolute_time"],
    "ActiveKeyboards": ["activeInputModes"], "UserDefaults": ["UserDefaults"],
  ]

  @Test func `the privacy manifest names what the libraries call`() throws {
    let repository = Repository.shared
    let targets = ["StoreMigration", "OutboxStore"].reduce(into: Set<String>()) {
      $0.formUnion(Self.reached(from: $1, in: repository.manifest).union([$1]))
    }
    let tokens = repository.sources.filter { targets.contains($0.target) }.flatMap(\.tokens)
    let called = Self.privacyCalls.filter { _, names in
      tokens.contains { token in names.contains { token.is($0) } }
    }
    let manifest = String(
      decoding: Repository.bytes(of: "Sources/Platform/PrivacyInfo.xcprivacy"), as: UTF8.self)
    let named = manifest.matches(of: /NSPrivacyAccessedAPICategory(\w+)/).map { String($0.1) }
    #expect(named.sorted() == called.keys.sorted() && named.count == 2)
    // OutboxCore, which has no manifest, needs none.
    #expect(!Self.reached(from: "OutboxCore", in: repository.manifest).contains("Platform"))
  }

  @Test func `the drawing is the target graph`() {
    let repository = Repository.shared
    #expect(repository.manifest.targets.count > 15)
    #expect(Self.differences(repository.manifest, repository.drawing) == [])
  }

  @Test func `a target is told in one sentence and imports downwards`() {
    #expect(Self.tableProblems(Repository.shared.drawing) == [])
  }

  @Test func `a target imports what it declares`() {
    let repository = Repository.shared
    #expect(Self.importProblems(repository.manifest, repository.sources) == [])
  }

  @Test func `imports are internal unless they say otherwise`() {
    #expect(Repository.shared.manifest.features.contains("InternalImportsByDefault"))
  }

  // MARK: - Tests of the rules

  private static let package = Manifest(
    SourceFile(
      "Package.swift",
      """
      let package = Package(
        products: [.library(name: "L", targets: ["Top"])],
        targets: [
          .target(name: "Top", dependencies: ["Middle", "Base"]),
          .target(name: "Middle", dependencies: ["Base"]), .target(name: "Base"),
          .target(name: "Support", path: "Tests/Support"), .testTarget(name: "TopTests"),
        ])
      """))

  private static let table = Drawing(
    """
    | target | imports | what it does |
    |---|---|---|
    | `Top` | Base, Other | Does this and that. |
    | `Base` | Top | Does one thing. |
    """)

  @Test func `differences between package and drawing are found`() {
    #expect(Self.package.libraryTargets == ["Top"])
    #expect(
      Self.differences(Self.package, Self.table) == [
        "Top: Architecture.md doesn't show that it imports Middle",
        "Top: only Architecture.md says that it imports Other",
        "Middle: is in Package.swift, not in Architecture.md's table",
        "Base: only Architecture.md says that it imports Top",
      ])
  }

  @Test func `targets are reached through others`() {
    #expect(Self.reached(from: "Top", in: Self.package) == ["Middle", "Base"])
    #expect(Self.reached(from: "Base", in: Self.package) == [])
  }

  @Test func `imports that point up and second tasks are found`() {
    #expect(
      Self.tableProblems(Self.table) == [
        "Top: “Does this and that.” says “and”",
        "Base: imports Top, which isn't below it in the table",
      ])
  }

  @Test func `undeclared and unused imports are found`() {
    let files = [SourceFile("Sources/Middle/A.swift", "package import Top\nimport Foundation\n")]
    #expect(
      Self.importProblems(Self.package, files) == [
        "Middle: imports Top, which Package.swift doesn't declare", "Middle: no file imports Base",
      ])
  }
}
