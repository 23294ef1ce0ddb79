import SourceDeclarations

/// A type or type alias in the source, with what its extensions add.
struct SourceType {
  /// The place in ``TypeTable/types``.
  typealias Index = Int

  let declaration: SwiftDeclaration

  /// The path of the file.
  let file: String

  /// The name with the names of the types around it.
  let qualifiedName: String

  /// The type around it, or `nil` at file scope.
  let parent: Index?

  /// The inherited types and protocols, with those of extensions.
  fileprivate(set) var inherited: [SwiftType]

  /// The members that are compiled, with those of extensions.
  fileprivate(set) var members: [SwiftDeclaration] = []

  /// The conditional compilations that decide about it.
  fileprivate(set) var clauses: [TakenClause]

  /// The types in the source that it says that it inherits from or conforms to.
  fileprivate(set) var ancestors: [Index] = []

  var name: String { declaration.name }

  var place: SwiftPlace { place(of: declaration.position) }

  func place(of position: SwiftPosition) -> SwiftPlace {
    SwiftPlace(file: file, position: position)
  }

  /// Whether the type is seen only in its own file.
  fileprivate var isPrivate: Bool {
    parent == nil
      && declaration.modifiers.contains { $0 == "private" || $0 == "fileprivate" }
  }

  /// Whether the type has an attribute or attached macro.
  func has(_ attribute: String) -> Bool {
    declaration.attributes.contains { $0.name == attribute || $0.name.hasSuffix("." + attribute) }
  }

  /// Whether the type says that it inherits or conforms to a name.
  func inherits(_ name: String) -> Bool {
    inherited.contains { $0.name == name || $0.name.hasSuffix("." + name) }
  }

  /// Returns the member of a kind with a name.
  func member(_ name: String) -> SwiftDeclaration? { members.first { $0.name == name } }
}

/// The types of all source files, found by their names as Swift finds them.
struct TypeTable {
  private(set) var types: [SourceType] = []

  /// The types by the type around them and their name; `nil` is file scope.
  private var children: [SourceType.Index?: [String: [SourceType.Index]]] = [:]

  /// The names that are followed before a chain of aliases counts as endless.
  private static let maximumDepth = 16

  /// The number of superclasses and protocols of a type in which names are looked up.
  private static let mostAncestors = 256

  init(_ files: [SwiftFile]) {
    var extensions: [(SwiftDeclaration, file: String, clauses: [TakenClause])] = []
    for file in files {
      for (declaration, clauses) in file.declarations.compiled() {
        if declaration.kind == .extension {
          extensions.append((declaration, file.path, clauses))
        } else {
          add(declaration, in: nil, file.path, clauses)
        }
      }
    }
    // An extension may be of a type that another extension declares.
    let ordered = extensions.map { ($0, $0.0.name.count { $0 == "." }) }.sorted { $0.1 < $1.1 }
    for ((declaration, file, clauses), _) in ordered {
      guard
        case .declared(let index) = followed(find(declaration.name, from: nil, file: file))
      else { continue }
      types[index].inherited += declaration.inherited
      types[index].clauses += clauses
      addMembers(of: declaration, to: index, file)
    }
    let ancestors = types.map { type in
      type.inherited.compactMap { inherited -> SourceType.Index? in
        guard
          case .declared(let index) = followed(
            find(inherited.name, from: type.parent, file: type.file))
        else { return nil }
        return index
      }
    }
    for index in types.indices { types[index].ancestors = ancestors[index] }
  }

  private mutating func add(
    _ declaration: SwiftDeclaration, in parent: SourceType.Index?, _ file: String,
    _ clauses: [TakenClause]
  ) {
    guard declaration.kind.isType || declaration.kind == .alias else { return }
    let prefix = parent.map { types[$0].qualifiedName + "." } ?? ""
    types.append(
      SourceType(
        declaration: declaration, file: file, qualifiedName: prefix + declaration.name,
        parent: parent, inherited: declaration.inherited, clauses: clauses))
    let index = types.count - 1
    children[parent, default: [:]][declaration.name, default: []].append(index)
    addMembers(of: declaration, to: index, file)
  }

  private mutating func addMembers(
    of declaration: SwiftDeclaration, to index: SourceType.Index, _ file: String
  ) {
    types[index].clauses += declaration.members.decisions
    for (member, clauses) in declaration.members.compiled() {
      types[index].members.append(member)
      add(member, in: index, file, clauses)
    }
  }
}

// MARK: - Names

/// What a name stands for.
enum FoundName: Hashable {
  case declared(SourceType.Index)

  /// Several types that Swift couldn't tell apart, either.
  case ambiguous([SourceType.Index])

  case unknown
}

extension TypeTable {
  /// Finds the type that a name with dots stands for, from inside a type.
  ///
  /// Aliases of plain names are followed. Of several types with the name, that in the same file
  /// counts. Types in superclasses and protocols come before those around a type.
  func find(
    _ name: String, from scope: SourceType.Index?, file: String, depth: Int = 0
  ) -> FoundName {
    let parts = name.split(separator: ".").map(String.init)
    guard let first = parts.first, depth < Self.maximumDepth else { return .unknown }
    var found = FoundName.unknown
    var around: SourceType.Index? = scope
    while true {
      if first == "Self", let around, types[around].declaration.kind.isType {
        found = .declared(around)
      } else {
        found = member(first, of: around, file: file)
      }
      guard found == .unknown, let inner = around else { break }
      // Each model has a type 'ID', because 'PersistentModel' refines 'Identifiable'.
      if first == "ID", types[inner].has("Model") { break }
      around = types[inner].parent
    }
    for part in parts.dropFirst() {
      found = followed(found, depth: depth)
      guard case .declared(let index) = found else { return found }
      found = member(part, of: index, file: file)
    }
    return found
  }

  /// Finds a type in another one or in what that inherits from, or at file scope.
  private func member(
    _ name: String, of parent: SourceType.Index?, file: String
  ) -> FoundName {
    guard let parent else { return child(name, of: nil, file: file) }
    var next = [parent]
    var seen: Set<SourceType.Index> = []
    while let index = next.popLast() {
      guard seen.insert(index).inserted, seen.count <= Self.mostAncestors else { continue }
      let found = child(name, of: index, file: file)
      if found != .unknown { return found }
      next += types[index].ancestors.reversed()
    }
    return .unknown
  }

  /// Returns the type that an alias of a plain name stands for, or what was found itself.
  func followed(_ found: FoundName, depth: Int = 0) -> FoundName {
    guard case .declared(let index) = found, types[index].declaration.kind == .alias,
      let type = types[index].declaration.type, type.arguments.isEmpty,
      types[index].declaration.generics.isEmpty
    else { return found }
    // An alias of its own name stands for a type outside: typealias Item = SchemaV2.Item.
    let target = find(
      type.name, from: types[index].parent, file: types[index].file, depth: depth + 1)
    return target == .unknown || target == found
      ? found : followed(target, depth: depth + 1)
  }

  private func child(
    _ name: String, of parent: SourceType.Index?, file: String
  ) -> FoundName {
    let all = (children[parent]?[name] ?? []).filter {
      !types[$0].isPrivate || types[$0].file == file
    }
    let own = all.filter { types[$0].file == file }
    let candidates = all.count > 1 && !own.isEmpty ? own : all
    switch candidates.count {
    case 0: return .unknown
    case 1: return .declared(candidates[0])
    default: return .ambiguous(candidates)
    }
  }
}
