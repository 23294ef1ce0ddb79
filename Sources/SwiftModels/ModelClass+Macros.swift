import SourceDeclarations
import StoreModel

// MARK: - Macros

extension ModelClass {
  mutating func read(macro: SwiftDeclaration) {
    switch macro.name {
    case "Unique":
      for argument in macro.arguments {
        guard let names = paths(argument.value, of: macro) else { return }
        addConstraint(names)
        if names.count > 1 {
          note(
            .unproven, .unproven, macro.position, nil,
            "no real store has confirmed how SwiftData stores '#Unique' of several properties")
        }
      }
    case "Index":
      for argument in macro.arguments { addIndex(argument.value, of: macro) }
    default:
      note(
        .error, .unknownMacro, macro.position, nil,
        "what the macro '#\(macro.name)' makes of '\(type.name)' isn't known")
    }
  }

  private mutating func paths(
    _ expression: SwiftExpression, of macro: SwiftDeclaration
  ) -> [String]? {
    let elements = expression.arguments.map(\.value)
    guard expression.kind == .array, elements.allSatisfy({ $0.kind == .keyPath }) else {
      note(
        .error, .unknownValue, macro.position, nil,
        "the arguments of '#\(macro.name)' aren't arrays of key paths")
      return nil
    }
    let names = elements.map {
      table.properties(of: $0, from: index, file: type.file).joined(separator: ".")
    }
    if names.isEmpty {
      note(.error, .unknownValue, macro.position, nil, "a list in '#\(macro.name)' is empty")
    }
    for name in names where !isKey(name) {
      note(
        .error, .unknownValue, macro.position, nil,
        "'\(name)' in '#\(macro.name)' isn't an attribute or to-one relationship of "
          + "'\(type.name)'")
    }
    return names
  }

  private mutating func addIndex(_ expression: SwiftExpression, of macro: SwiftDeclaration) {
    let isCall = expression.kind == .call
    let isTree = isCall && expression.text.hasSuffix("rtree")
    guard
      let names = paths(
        isCall ? expression.arguments.first?.value ?? expression : expression, of: macro)
    else { return }
    let kind = isTree ? "RTree" : "Binary"
    if isTree {
      note(
        .unproven, .unproven, macro.position, nil,
        "no real store has confirmed how SwiftData stores an R-tree, and no migration leads to a "
          + "model with one")
    }
    indexes.append(
      FetchIndex(
        name: "SwiftDataIndexOn\(kind)" + names.joined(),
        elements: names.map { .init(propertyName: $0, collationType: isTree ? 1 : 0) }))
  }

  /// Whether a name is that of a stored property, own or inherited, that isn't to-many.
  private func isKey(_ name: String) -> Bool {
    if places[name] != nil {
      return !links.contains { $0.relationship.name == name && $0.relationship.isToMany }
    }
    return superclass != nil
      && table.superclasses(of: index).contains { ancestor in
        table.types[ancestor].has("Model")
          && table.types[ancestor].members.contains {
            $0.kind == .stored && $0.name == name && !$0.isOfType
          }
      }
  }
}

// MARK: - Checks

extension ModelClass {
  /// Reports superclasses that aren't known, or that aren't entities.
  mutating func checkSuperclass() {
    if table.inheritsFromItself(index) {
      let isDeep = table.superclasses(of: index).count == TypeTable.mostSuperclasses
      note(
        .error, .unknownType, type.declaration.position, nil,
        "the superclasses of '\(type.name)' \(isDeep ? "are more than 63" : "form a cycle")")
      return
    }
    switch table.firstInherited(of: index) {
    case .noSuperclass: break
    case .superclass(let parent):
      guard !table.types[parent].has("Model") else { break }
      note(
        .unproven, .unproven, type.declaration.position, nil,
        "no real store has confirmed how SwiftData stores a subclass of "
          + "'\(table.types[parent].name)', which isn't a class with '@Model'")
    case .unknown(let name):
      note(
        .unproven, .unproven, type.declaration.position, nil,
        "'\(name)' isn't declared in these sources; if it is a class, the entity lacks what "
          + "'\(type.name)' inherits")
    }
  }

  /// Reports an inverse that is in another class than the one that a relationship leads to.
  mutating func checkRoot(
    of inverse: SwiftExpression?, of property: SwiftDeclaration, _ destination: SourceType.Index
  ) {
    guard let inverse, let root = inverse.type else { return }
    let problem: String
    switch table.root(of: inverse, from: index, file: type.file) {
    case .unknown: problem = "which isn't declared in these sources"
    case .declared(let found)
    where found == destination || table.superclasses(of: destination).contains(found)
      || table.superclasses(of: found).contains(destination):
      return
    case .declared, .ambiguous:
      problem = "but it leads to '\(table.types[destination].qualifiedName)'"
    }
    note(
      .error, .unknownType, property.position, property.name,
      "the inverse of '\(property.name)' is in '\(root)', \(problem)")
  }

  /// Reports options in the macro for the other kind of property.
  mutating func checkMisplaced(_ macro: String, of property: SwiftDeclaration) {
    let options = PropertyOptions(options(property, macro))
    let names = options.names.subtracting(["externalStorage", "spotlight", "allowsCloudEncryption"])
    let isHashed =
      !names.isEmpty || options.isTransformable || options.unknown != nil
      || options.arguments["hashModifier"].map { $0.kind != .nil } == true
    guard isHashed || options.string("originalName") != nil else { return }
    let kind = macro == "Attribute" ? "a relationship" : "an attribute"
    note(
      isHashed ? .error : .unproven, .unknownMacro, property.position, property.name,
      "what the options of '@\(macro)' mean for '\(property.name)', which is \(kind), isn't known")
  }

  /// Adds the constraint of a relationship with the option `.unique`.
  mutating func addConstraint(_ link: SwiftDeclaration, isToMany: Bool) {
    let object = "SwiftData stores the unique \(isToMany ? "to-many " : "")relationship"
    note(
      isToMany ? .error : .unproven, isToMany ? .unknownMacro : .unproven, link.position, link.name,
      isToMany
        ? "how \(object) '\(link.name)' isn't known"
        : "no real store has confirmed how \(object) '\(link.name)'")
    if !isToMany { addConstraint([link.name]) }
  }
}
