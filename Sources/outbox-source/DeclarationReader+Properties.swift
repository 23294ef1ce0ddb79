import SourceDeclarations
import SwiftSyntax

extension DeclarationReader {
  /// Returns the properties that a declaration introduces.
  ///
  /// In `var a, b: Int`, the type of the last property is also that of those before it that have
  /// neither a type nor an initial value: in `var a = 1, b: String`, `a` is an integer.
  func properties(of node: VariableDeclSyntax) -> [SwiftDeclaration] {
    let attributes = attributes(node.attributes)
    let modifiers = modifiers(node.modifiers) + [node.bindingSpecifier.text]
    var type: SwiftType?
    var properties: [SwiftDeclaration] = []
    for binding in node.bindings.reversed() {
      if binding.initializer != nil { type = nil }
      if let annotation = binding.typeAnnotation { type = SwiftType(annotation.type) }
      let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.name
      let getter = binding.accessorBlock.map { Self.getter(of: $0) }
      let value = getter?.value ?? binding.initializer?.value
      properties.append(
        SwiftDeclaration(
          getter?.isComputed == true ? .computed : .stored,
          name ?? binding.pattern.trimmedDescription, at: position(of: binding.pattern),
          attributes: attributes, modifiers: modifiers, type: type,
          value: value.map { SwiftExpression($0) }))
      if binding.initializer != nil { type = nil }
    }
    return properties.reversed()
  }

  /// Returns whether accessors make a property computed, and what the getter returns.
  ///
  /// The value is `nil` if the getter has several statements. A property with only `willSet` and
  /// `didSet` is stored.
  private static func getter(
    of block: AccessorBlockSyntax
  ) -> (isComputed: Bool, value: ExprSyntax?) {
    if case .getter(let body) = block.accessors { return (true, returned(by: body)) }
    guard case .accessors(let accessors) = block.accessors else { return (true, nil) }
    let observers: Set<String> = ["willSet", "didSet"]
    let others = accessors.filter { !observers.contains($0.accessorSpecifier.text) }
    let getter = others.first { $0.accessorSpecifier.text == "get" }
    return (!others.isEmpty, getter?.body.flatMap { returned(by: $0.statements) })
  }

  private static func returned(by body: CodeBlockItemListSyntax) -> ExprSyntax? {
    guard body.count == 1, let item = body.first?.item else { return nil }
    if case .expr(let expression) = item { return expression }
    guard case .stmt(let statement) = item else { return nil }
    return statement.as(ReturnStmtSyntax.self)?.expression
  }

  /// Returns the cases that a declaration introduces, with their associated values.
  func cases(of node: EnumCaseDeclSyntax) -> [SwiftDeclaration] {
    node.elements.map { element in
      SwiftDeclaration(
        .enumCase, element.name.name, at: position(of: element.name),
        attributes: attributes(node.attributes),
        value: element.rawValue.map { SwiftExpression($0.value) },
        members: element.parameterClause?.parameters.map { parameter in
          SwiftDeclaration(
            .parameter, parameter.firstName?.name ?? "", at: position(of: parameter),
            type: SwiftType(parameter.type))
        } ?? [])
    }
  }
}
