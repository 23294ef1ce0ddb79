import SourceDeclarations
import SwiftParser
import SwiftSyntax

extension SwiftExpression {
  /// The deepest nesting that is read; deeper expressions are kept as text.
  private static let maximumDepth = 16

  /// The length of a text that is kept of other expressions.
  private static let maximumLength = 80

  /// The number of parts that are read; an expression with more is kept as text.
  private static let maximumCount = 1_000

  /// Creates an expression from its syntax.
  init(_ node: ExprSyntax, depth: Int = 0) {
    let inner = depth + 1
    func arguments(_ nodes: some Sequence<ExprSyntax>) -> [SwiftArgument] {
      nodes.map { SwiftArgument(nil, SwiftExpression($0, depth: inner)) }
    }
    if depth > Self.maximumDepth || Self.isLong(node) {
      self.init(.other, String(node.trimmedDescription.prefix(Self.maximumLength)))
    } else if let literal = Self.literal(node) {
      self = literal
    } else if let name = Self.name(of: node) {
      self.init(.name, name)
    } else if let type = Self.optionalOfNone(node) {
      self.init(.nil, "nil", type: type)
    } else if let node = node.as(MemberAccessExprSyntax.self),
      node.declName.baseName.text == "self",
      let base = node.base, let type = SwiftType(base)
    {
      self.init(.type, base.trimmedDescription, type: type)
    } else if let node = node.as(FunctionCallExprSyntax.self), node.trailingClosure == nil {
      self.init(
        .call, node.calledExpression.trimmedDescription, type: SwiftType(node.calledExpression),
        node.arguments.map { SwiftArgument($0, depth: inner) })
    } else if let node = node.as(ArrayExprSyntax.self) {
      self.init(.array, "", arguments(node.elements.map(\.expression)))
    } else if node.is(DictionaryExprSyntax.self) {
      self.init(.dictionary, "")
    } else if let node = node.as(TupleExprSyntax.self), let only = node.elements.first,
      node.elements.count == 1, only.label == nil
    {
      self.init(only.expression, depth: inner)
    } else if let node = node.as(SequenceExprSyntax.self) {
      self.init(sequence: Array(node.elements), depth: inner)
    } else if let node = node.as(PrefixOperatorExprSyntax.self) {
      self.init(.operator, node.operator.text, arguments([node.expression]))
    } else if let path = node.as(KeyPathExprSyntax.self).flatMap(Self.keyPath) {
      self = path
    } else {
      self.init(.other, String(node.trimmedDescription.prefix(Self.maximumLength)))
    }
  }

  private static func isLong(_ node: ExprSyntax) -> Bool {
    let count =
      node.as(ArrayExprSyntax.self)?.elements.count
      ?? node.as(SequenceExprSyntax.self)?.elements.count
      ?? node.as(FunctionCallExprSyntax.self)?.arguments.count
    return count ?? 0 > maximumCount
  }

  /// Returns a literal, with its sign; `nil` for other expressions.
  private static func literal(_ node: ExprSyntax) -> SwiftExpression? {
    if let node = node.as(StringLiteralExprSyntax.self) {
      return node.representedLiteralValue.map { SwiftExpression(.string, $0) }
    }
    if let node = node.as(IntegerLiteralExprSyntax.self) {
      return node.representedLiteralValue.map { SwiftExpression(.integer, String($0)) }
    }
    if let node = node.as(FloatLiteralExprSyntax.self) {
      return node.representedLiteralValue.map { SwiftExpression(.real, String($0)) }
    }
    if let node = node.as(BooleanLiteralExprSyntax.self) {
      return SwiftExpression(.boolean, node.literal.text)
    }
    if node.is(NilLiteralExprSyntax.self) { return SwiftExpression(.nil, "nil") }
    guard let node = node.as(PrefixOperatorExprSyntax.self),
      ["-", "+"].contains(node.operator.text), !node.expression.is(PrefixOperatorExprSyntax.self),
      let number = literal(node.expression), number.kind == .integer || number.kind == .real
    else { return nil }
    return SwiftExpression(number.kind, (node.operator.text == "-" ? "-" : "") + number.text)
  }

  /// Returns the type before `.none`, such as that of `Int?.none`; `nil` for other expressions.
  private static func optionalOfNone(_ node: ExprSyntax) -> SwiftType? {
    guard let node = node.as(MemberAccessExprSyntax.self), node.declName.baseName.text == "none",
      let base = node.base,
      base.is(OptionalChainingExprSyntax.self)
        || base.is(GenericSpecializationExprSyntax.self),
      let type = SwiftType(base), type.name == "Optional"
    else { return nil }
    return type
  }

  /// Returns a name with dots, or `nil` for other expressions and for `.self`.
  private static func name(of node: ExprSyntax) -> String? {
    if let node = node.as(DeclReferenceExprSyntax.self) {
      return node.argumentNames == nil ? node.baseName.name : nil
    }
    guard let node = node.as(MemberAccessExprSyntax.self),
      node.declName.argumentNames == nil, node.declName.baseName.text != "self"
    else { return nil }
    guard let base = node.base else { return "." + node.declName.baseName.name }
    return name(of: base).map { "\($0).\(node.declName.baseName.name)" }
  }

  /// Creates a sequence of operands and operators, or a conversion by `as`.
  private init(sequence: [ExprSyntax], depth: Int) {
    if sequence.count == 3, let conversion = sequence[1].as(UnresolvedAsExprSyntax.self),
      conversion.questionOrExclamationMark == nil,
      let type = sequence[2].as(TypeExprSyntax.self)?.type
    {
      let operand = SwiftArgument(nil, SwiftExpression(sequence[0], depth: depth))
      self.init(.cast, type.trimmedDescription, type: SwiftType(type), [operand])
      return
    }
    self.init(
      .sequence, "",
      sequence.map { node in
        let sign = node.as(BinaryOperatorExprSyntax.self)
        return SwiftArgument(
          nil,
          sign.map { SwiftExpression(.operator, $0.operator.text) }
            ?? SwiftExpression(node, depth: depth))
      })
  }

  /// Returns a key path of properties, or `nil` if it has other components.
  private static func keyPath(_ node: KeyPathExprSyntax) -> SwiftExpression? {
    var names: [String] = []
    for component in node.components {
      if case .optional = component.component { continue }
      guard case .property(let property) = component.component else { return nil }
      names.append(property.declName.baseName.name)
    }
    return SwiftExpression(
      .keyPath, names.joined(separator: "."), type: node.root.map { SwiftType($0) })
  }
}

extension SwiftArgument {
  /// Creates an argument from its syntax.
  init(_ node: LabeledExprSyntax, depth: Int = 0) {
    self.init(node.label?.name, SwiftExpression(node.expression, depth: depth))
  }
}
