import SourceDeclarations

// Type aliases, of which generic ones stand for types that their arguments decide about.
extension TypeTable {
  /// The number of names in a type that an alias may stand for.
  private static let mostNames = 1_000

  /// Returns the type that an alias stands for, as it is written where the alias is declared.
  ///
  /// - Parameters:
  ///   - type: The name of the alias with its arguments.
  ///   - index: The declaration that the name stands for.
  ///   - scope: The type in which the name is written.
  ///   - file: The file in which the name is written.
  /// - Returns: The type, or `nil` if the declaration isn't an alias, or if an argument has a name
  ///   that stands for something else where the alias is declared.
  func aliased(
    _ type: SwiftType, _ index: SourceType.Index, from scope: SourceType.Index?, file: String
  ) -> SwiftType? {
    let alias = types[index]
    guard alias.declaration.kind == .alias, let target = alias.declaration.type,
      alias.declaration.generics.count == type.arguments.count
    else { return nil }
    let names = type.arguments.flatMap(\.names)
    guard
      names.allSatisfy({
        find($0, from: scope, file: file) == find($0, from: alias.parent, file: alias.file)
      })
    else { return nil }
    let arguments = Dictionary(
      zip(alias.declaration.generics, type.arguments), uniquingKeysWith: { first, _ in first })
    let result = target.replacing(arguments)
    return result.names.count > Self.mostNames ? nil : result
  }

  /// Returns a type without aliases and names of modules, as SwiftData writes it.
  func written(_ type: SwiftType, from scope: SourceType.Index?, file: String) -> SwiftType {
    var left = Self.mostNames
    return written(type, from: scope, file: file, depth: 0, &left)
  }

  private func written(
    _ type: SwiftType, from scope: SourceType.Index?, file: String, depth: Int, _ left: inout Int
  ) -> SwiftType {
    left -= 1
    guard left > 0, depth < 16 else { return type }
    if case .declared(let index) = find(type.name, from: scope, file: file),
      let target = aliased(type, index, from: scope, file: file)
    {
      let alias = types[index]
      return written(target, from: alias.parent, file: alias.file, depth: depth + 1, &left)
    }
    return SwiftType(
      SDKType.withoutModule(type.name),
      type.arguments.map { written($0, from: scope, file: file, depth: depth, &left) })
  }
}

extension SwiftType {
  /// The names in the type, at any depth.
  fileprivate var names: [String] { [name] + arguments.flatMap(\.names) }

  /// Replaces the names of generic parameters by types.
  fileprivate func replacing(_ types: [String: SwiftType]) -> SwiftType {
    if let type = types[name], arguments.isEmpty { return type }
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    let owner = parts.count == 2 ? types[parts[0]] : nil
    return SwiftType(
      owner.map { "\($0).\(parts[1])" } ?? name, arguments.map { $0.replacing(types) })
  }
}
