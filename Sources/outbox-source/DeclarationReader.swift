import SourceDeclarations
import SwiftSyntax

/// Reads the declarations of a syntax tree.
struct DeclarationReader {
  let converter: SourceLocationConverter

  /// The number of types and clauses around the declarations.
  private var depth = 0

  /// The deepest nesting that is read, so that the document isn't too deep.
  static let maximumDepth = 32

  init(converter: SourceLocationConverter) {
    self.converter = converter
  }

  func position(of node: some SyntaxProtocol) -> SwiftPosition {
    position(of: node.positionAfterSkippingLeadingTrivia)
  }

  func position(of offset: AbsolutePosition) -> SwiftPosition {
    let location = converter.location(for: offset)
    return SwiftPosition(line: location.line, column: location.column)
  }

  /// The reader of the declarations inside one.
  private var inner: DeclarationReader {
    var reader = self
    reader.depth += 1
    return reader
  }

  func declarations(in items: CodeBlockItemListSyntax) -> [SwiftDeclaration] {
    depth > Self.maximumDepth
      ? []
      : items.flatMap { item -> [SwiftDeclaration] in
        if case .decl(let declaration) = item.item { declarations(of: declaration) } else { [] }
      }
  }

  private func declarations(in members: MemberBlockItemListSyntax) -> [SwiftDeclaration] {
    depth > Self.maximumDepth ? [] : members.flatMap { declarations(of: $0.decl) }
  }

  private func declarations(of node: DeclSyntax) -> [SwiftDeclaration] {
    if let node = node.as(VariableDeclSyntax.self) { return properties(of: node) }
    if let node = node.as(EnumCaseDeclSyntax.self) { return cases(of: node) }
    if let node = node.as(IfConfigDeclSyntax.self) { return clauses(of: node) }
    if let node = node.as(MacroExpansionDeclSyntax.self) {
      return [
        SwiftDeclaration(
          .macro, node.macroName.text, at: position(of: node),
          arguments: node.arguments.map { SwiftArgument($0) })
      ]
    }
    if let node = node.as(TypeAliasDeclSyntax.self) {
      return [
        SwiftDeclaration(
          .alias, node.name.name, at: position(of: node.name), modifiers: modifiers(node.modifiers),
          type: SwiftType(node.initializer.value), generics: Self.names(node.genericParameterClause)
        )
      ]
    }
    if let node = node.as(InitializerDeclSyntax.self) {
      if node.optionalMark != nil {
        return [SwiftDeclaration(.failableInitializer, "init", at: position(of: node))]
      }
      return coding("init(from:)", node.signature, at: position(of: node))
    }
    if let node = node.as(FunctionDeclSyntax.self), node.name.name == "encode" {
      return coding("encode(to:)", node.signature, at: position(of: node.name))
    }
    return type(of: node).map { [$0] } ?? []
  }

  /// Returns a function that codes the type, if its only parameter has the label in its name.
  private func coding(
    _ name: String, _ signature: FunctionSignatureSyntax, at position: SwiftPosition
  ) -> [SwiftDeclaration] {
    let parameters = signature.parameterClause.parameters
    guard parameters.count == 1, let label = parameters.first?.firstName.name,
      name.hasSuffix("(\(label):)")
    else { return [] }
    return [SwiftDeclaration(.coding, name, at: position)]
  }

  private func type(of node: DeclSyntax) -> SwiftDeclaration? {
    if let node = node.as(ClassDeclSyntax.self) {
      return type(.class, node.name, node, node.genericParameterClause)
    }
    if let node = node.as(StructDeclSyntax.self) {
      return type(.struct, node.name, node, node.genericParameterClause)
    }
    if let node = node.as(EnumDeclSyntax.self) {
      return type(.enum, node.name, node, node.genericParameterClause)
    }
    if let node = node.as(ActorDeclSyntax.self) {
      return type(.actor, node.name, node, node.genericParameterClause)
    }
    if let node = node.as(ProtocolDeclSyntax.self) {
      return type(.protocol, node.name, node, nil)
    }
    if let node = node.as(ExtensionDeclSyntax.self) {
      return type(
        .extension, SwiftType(node.extendedType).name, at: node.extendedType, node, nil)
    }
    return nil
  }

  private func type(
    _ kind: SwiftDeclaration.Kind, _ name: TokenSyntax, _ node: some DeclGroupSyntax,
    _ generics: GenericParameterClauseSyntax?
  ) -> SwiftDeclaration { type(kind, name.name, at: name, node, generics) }

  private static func names(_ clause: GenericParameterClauseSyntax?) -> [String] {
    clause?.parameters.map { $0.name.name } ?? []
  }

  private func type(
    _ kind: SwiftDeclaration.Kind, _ name: String, at place: some SyntaxProtocol,
    _ node: some DeclGroupSyntax, _ generics: GenericParameterClauseSyntax?
  ) -> SwiftDeclaration {
    SwiftDeclaration(
      kind, name, at: position(of: place), attributes: attributes(node.attributes),
      modifiers: modifiers(node.modifiers),
      inherited: node.inheritanceClause?.inheritedTypes.flatMap { SwiftType.parts(of: $0.type) }
        ?? [],
      generics: Self.names(generics), members: inner.declarations(in: node.memberBlock.members))
  }

  private func clauses(of node: IfConfigDeclSyntax) -> [SwiftDeclaration] {
    node.clauses.map { clause in
      var members: [SwiftDeclaration] = []
      if case .decls(let list)? = clause.elements { members = inner.declarations(in: list) }
      if case .statements(let list)? = clause.elements { members = inner.declarations(in: list) }
      return SwiftDeclaration(
        .clause, String(clause.poundKeyword.text.dropFirst()), at: position(of: clause),
        value: clause.condition.map { SwiftExpression($0) }, members: members)
    }
  }

  func attributes(_ list: AttributeListSyntax) -> [SwiftAttribute] {
    list.map { element in
      guard case .attribute(let node) = element else {
        return SwiftAttribute(
          "#if", at: position(of: element), clauses: attributeClauses(of: element))
      }
      var arguments: [SwiftArgument] = []
      if case .argumentList(let list)? = node.arguments {
        arguments = list.map { SwiftArgument($0) }
      }
      return SwiftAttribute(
        SwiftType(node.attributeName).name, at: position(of: node), arguments: arguments)
    }
  }

  private func attributeClauses(
    of element: AttributeListSyntax.Element
  ) -> [SwiftAttribute.Clause] {
    guard depth <= Self.maximumDepth, case .ifConfigDecl(let node) = element else { return [] }
    return node.clauses.map { clause in
      var list: [SwiftAttribute] = []
      if case .attributes(let found)? = clause.elements { list = inner.attributes(found) }
      return SwiftAttribute.Clause(
        String(clause.poundKeyword.text.dropFirst()),
        clause.condition.map { SwiftExpression($0) }, list)
    }
  }

  func modifiers(_ list: DeclModifierListSyntax) -> [String] { list.map(\.trimmedDescription) }
}
