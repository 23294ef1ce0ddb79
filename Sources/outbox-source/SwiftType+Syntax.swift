import SourceDeclarations
import SwiftParser
import SwiftSyntax

extension SwiftType {
  /// The deepest nesting that is read; deeper types are kept as text.
  private static let maximumDepth = 16

  /// The length of a text that is kept of deeper types.
  private static let maximumLength = 80

  /// Creates a type from its syntax, without sugar.
  init(_ node: TypeSyntax, depth: Int = 0) {
    let inner = depth + 1
    if depth > Self.maximumDepth {
      self.init(String(node.trimmedDescription.prefix(Self.maximumLength)))
    } else if let node = node.as(OptionalTypeSyntax.self) {
      self.init("Optional", [SwiftType(node.wrappedType, depth: inner)])
    } else if let node = node.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      self.init("Optional", [SwiftType(node.wrappedType, depth: inner)])
    } else if let node = node.as(ArrayTypeSyntax.self) {
      self.init("Array", [SwiftType(node.element, depth: inner)])
    } else if let node = node.as(DictionaryTypeSyntax.self) {
      self.init(
        "Dictionary", [SwiftType(node.key, depth: inner), SwiftType(node.value, depth: inner)])
    } else if let node = node.as(AttributedTypeSyntax.self) {
      self.init(node.baseType, depth: inner)
    } else if let node = node.as(TupleTypeSyntax.self), let element = node.onlyType {
      self.init(element, depth: inner)
    } else if let name = Self.name(of: node) {
      self.init(name, Self.arguments(of: node, depth: inner))
    } else {
      self.init(node.trimmedDescription)
    }
  }

  /// Reads a type from an expression that may be one, or returns `nil`.
  init?(_ node: ExprSyntax) {
    let text = node.trimmedDescription
    var parser = Parser(text)
    let type = TypeSyntax.parse(from: &parser)
    guard !type.hasError, type.trimmedDescription == text else { return nil }
    self.init(type)
  }

  /// Returns the types of a composition such as `A & B`, or the type itself.
  static func parts(of node: TypeSyntax) -> [SwiftType] {
    if let node = node.as(AttributedTypeSyntax.self) { return parts(of: node.baseType) }
    return node.as(CompositionTypeSyntax.self).map { $0.elements.flatMap { parts(of: $0.type) } }
      ?? [SwiftType(node)]
  }

  /// Returns the name of a type with dots, or `nil` if it isn't a plain name.
  private static func name(of node: TypeSyntax) -> String? {
    if let node = node.as(IdentifierTypeSyntax.self) { return node.name.name }
    guard let node = node.as(MemberTypeSyntax.self),
      clause(of: node.baseType)?.arguments.isEmpty ?? true,
      let base = name(of: node.baseType)
    else { return nil }
    return "\(base).\(node.name.name)"
  }

  private static func clause(of node: TypeSyntax) -> GenericArgumentClauseSyntax? {
    node.as(IdentifierTypeSyntax.self)?.genericArgumentClause
      ?? node.as(MemberTypeSyntax.self)?.genericArgumentClause
  }

  private static func arguments(of node: TypeSyntax, depth: Int) -> [SwiftType] {
    clause(of: node)?.arguments.map { argument in
      if case .type(let type) = argument.argument {
        SwiftType(type, depth: depth)
      } else {
        SwiftType(argument.trimmedDescription)
      }
    } ?? []
  }
}

extension TupleTypeSyntax {
  /// The type in parentheses, or `nil` for a tuple.
  fileprivate var onlyType: TypeSyntax? {
    guard elements.count == 1, let element = elements.first, element.firstName == nil else {
      return nil
    }
    return element.type
  }
}

extension TokenSyntax {
  /// The identifier without backticks.
  var name: String { identifier?.name ?? text }
}
