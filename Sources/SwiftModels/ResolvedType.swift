import SourceDeclarations
import StoreModel

/// What a written type is.
indirect enum ResolvedType {
  case optional(ResolvedType)
  case array(ResolvedType, text: String)

  /// A dictionary, set or other generic type of Swift's library.
  case collection(text: String)

  case sdk(SDKType)

  /// A class with `@Model`.
  case model(SourceType.Index)

  /// A struct or enum.
  case value(SourceType.Index)

  /// A type that can't be known, with the reason as a sentence.
  case unknown(SourceRule, String)

  /// Whether the type is optional, and the type without optionality.
  var unwrapped: (type: ResolvedType, isOptional: Bool) {
    guard case .optional(let inner) = self else { return (self, false) }
    return (inner.unwrapped.type, true)
  }
}

extension TypeTable {
  private static let collections: Set<String> = ["Dictionary", "Set", "ContiguousArray", "Range"]

  /// Finds out what a type is that is written inside another.
  func resolve(
    _ type: SwiftType, from scope: SourceType.Index?, file: String, depth: Int = 0
  ) -> ResolvedType {
    func inner(_ type: SwiftType) -> ResolvedType {
      resolve(type, from: scope, file: file, depth: depth)
    }
    guard depth < 16 else {
      return .unknown(
        .unknownType, "the type alias '\(type)' stands for itself, or for too many others")
    }
    switch followed(find(type.name, from: scope, file: file)) {
    case .ambiguous(let indices):
      let places = indices.map { "\(types[$0].place)" }.joined(separator: ", ")
      return .unknown(
        .ambiguousType, "'\(type.name)' is declared several times (\(places)); give fewer files")
    case .declared(let index):
      return resolve(index, type, from: scope, file: file, depth: depth)
    case .unknown: break
    }
    let name = SDKType.withoutModule(type.name)
    if let only = type.arguments.first, type.arguments.count == 1 {
      if name == "Optional" { return .optional(inner(only)) }
      if name == "Array" {
        return .array(inner(only), text: "Array<\(written(only, from: scope, file: file))>")
      }
    }
    if name.hasSuffix(".RawValue"),
      case .declared(let index) = followed(
        find(String(name.dropLast(".RawValue".count)), from: scope, file: file)),
      let raw = rawType(of: index)
    {
      return .sdk(.scalar(raw))
    }
    if Self.collections.contains(name) { return .collection(text: "\(type)") }
    if type.arguments.isEmpty, let known = SDKType.named(name) { return .sdk(known) }
    return .unknown(
      .unknownType,
      "the type '\(type)' isn't declared in these sources, and how SwiftData stores it isn't known")
  }

  /// Returns the decisions about `#if` that determine what a written type stands for.
  func decisions(
    about type: SwiftType, from scope: SourceType.Index?, file: String
  ) -> [SourceFinding] {
    var findings: [SourceFinding] = []
    var seen: Set<SourceType.Index> = []
    var rest = [(type, scope, file)]
    while let (type, scope, file) = rest.popLast() {
      rest += type.arguments.map { ($0, scope, file) }
      guard case .declared(let index) = find(type.name, from: scope, file: file),
        !types[index].has("Model"), seen.insert(index).inserted
      else { continue }
      let found = types[index]
      findings += found.clauses.map { $0.finding(in: found) }
      if found.declaration.kind == .alias, let target = found.declaration.type {
        rest.append((target, found.parent, found.file))
      }
    }
    return findings
  }

  private func resolve(
    _ index: SourceType.Index, _ type: SwiftType, from scope: SourceType.Index?, file: String,
    depth: Int
  ) -> ResolvedType {
    let found = types[index]
    if let target = aliased(type, index, from: scope, file: file) {
      return resolve(target, from: found.parent, file: found.file, depth: depth + 1)
    }
    guard type.arguments.isEmpty, found.declaration.generics.isEmpty else {
      return .unknown(
        .unknownType,
        "how SwiftData stores the generic type '\(type)', declared at \(found.place), isn't known")
    }
    switch found.declaration.kind {
    case .class where found.has("Model"): return .model(index)
    case .struct, .enum: return .value(index)
    case .alias, .class, .actor, .protocol, .extension, .stored, .computed, .enumCase, .parameter,
      .failableInitializer, .coding, .macro, .clause:
      break
    }
    if isHandWritten(index) {
      return .unknown(
        .unknownType,
        "'\(type)' conforms to 'PersistentModel' without '@Model', so its schema isn't known")
    }
    return .unknown(
      .unknownType,
      "how SwiftData stores the \(found.declaration.kind.rawValue) '\(type)' isn't known")
  }
}
