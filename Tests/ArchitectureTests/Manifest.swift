/// What `Package.swift` says about targets, read from its text.
struct Manifest {
  struct Target: Equatable {
    let kind: String
    let name: String
    let dependencies: Set<String>
  }

  /// The targets in the order they are written in, those of tests and for tests excluded.
  private(set) var targets: [Target] = []

  /// The targets of library products.
  private(set) var libraryTargets: Set<String> = []

  /// The names of upcoming features that are enabled.
  private(set) var features: Set<String> = []

  private static let kinds: Set = ["target", "executableTarget", "systemLibrary"]

  init(_ file: SourceFile) {
    let tokens = file.tokens
    for place in tokens.indices.dropFirst() where tokens[place - 1].is(".") {
      let arguments = Self.arguments(of: tokens, from: place + 1)
      switch tokens[place].text {
      case let kind where Self.kinds.contains(kind):
        guard let name = arguments["name"]?.first,
          arguments["path"]?.first?.hasPrefix("Tests/") != true
        else { continue }
        targets.append(
          Target(kind: kind, name: name, dependencies: Set(arguments["dependencies"] ?? [])))
      case "library": libraryTargets.formUnion(arguments["targets"] ?? [])
      case "enableUpcomingFeature": features.formUnion(arguments[""] ?? [])
      default: break
      }
    }
  }

  /// The strings in a call's parentheses, by the label before them.
  private static func arguments(of tokens: [SwiftToken], from start: Int) -> [String: [String]] {
    guard start < tokens.count, tokens[start].is("(") else { return [:] }
    var strings: [String: [String]] = [:]
    var label = ""
    var depth = 0
    for place in start..<tokens.count {
      let token = tokens[place]
      if token.is("(") || token.is("[") { depth += 1 }
      if token.is(")") || token.is("]") { depth -= 1 }
      if depth == 0 { return strings }
      if depth == 1, token.is(":") { label = tokens[place - 1].text }
      if token.kind == .string { strings[label, default: []].append(token.text) }
    }
    return strings
  }
}
