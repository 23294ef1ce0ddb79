/// A declaration in a source file.
///
/// Functions, and the bodies of computed properties, aren't part of it.
package struct SwiftDeclaration: Hashable, Sendable {
  /// The kind of a declaration.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    case `class`, `struct`, `enum`, actor, `protocol`, `extension`

    /// A type alias; ``SwiftDeclaration/type`` is the type that it stands for.
    case alias

    /// A stored property.
    case stored

    /// A computed property; its value is the expression that its getter returns.
    case computed

    /// A case of an enum; its members are parameters.
    case enumCase = "case"

    /// An associated value of a case.
    case parameter

    /// An initialiser `init?`, because of which a call may give `nil`.
    case failableInitializer = "init?"

    /// A function of the type's own coding: `init(from:)` or `encode(to:)`.
    case coding

    /// An expansion of a freestanding macro.
    case macro

    /// A clause of `#if`; its value is the condition, or `nil` for `#else`.
    case clause

    /// Whether the declaration introduces a scope with members of its own.
    package var isType: Bool {
      switch self {
      case .class, .struct, .enum, .actor, .protocol: true
      case .extension, .alias, .stored, .computed, .enumCase, .parameter, .failableInitializer,
        .coding, .macro, .clause:
        false
      }
    }
  }

  package let kind: Kind

  /// The name; the extended type of an extension, `if`, `elseif` or `else` of a clause.
  package let name: String

  /// The position of the name.
  package let position: SwiftPosition

  /// The attributes and attached macros, in the order of the source.
  package var attributes: [SwiftAttribute]

  /// The modifiers, such as `static` and `private(set)`.
  package var modifiers: [String]

  /// The inherited types and protocols.
  package var inherited: [SwiftType]

  /// The declared type of a property or parameter, or the type behind an alias.
  package var type: SwiftType?

  /// The initial value of a property, the raw value of a case, or the condition of a clause.
  package var value: SwiftExpression?

  /// The arguments of a macro's expansion.
  package var arguments: [SwiftArgument]

  /// The names of the generic parameters.
  package var generics: [String]

  /// The declarations inside.
  package var members: [SwiftDeclaration]

  package init(
    _ kind: Kind, _ name: String, at position: SwiftPosition, attributes: [SwiftAttribute] = [],
    modifiers: [String] = [], inherited: [SwiftType] = [], type: SwiftType? = nil,
    value: SwiftExpression? = nil, arguments: [SwiftArgument] = [], generics: [String] = [],
    members: [SwiftDeclaration] = []
  ) {
    self.kind = kind
    self.name = name
    self.position = position
    self.attributes = attributes
    self.modifiers = modifiers
    self.inherited = inherited
    self.type = type
    self.value = value
    self.arguments = arguments
    self.generics = generics
    self.members = members
  }
}

/// An attribute or attached macro, such as `@Attribute(.unique)`, or a call.
package struct SwiftAttribute: Hashable, Sendable {
  /// The name without `@`; `#if` for attributes that depend on a condition.
  package let name: String

  package let position: SwiftPosition

  package let arguments: [SwiftArgument]

  /// The clauses of `#if`.
  package let clauses: [Clause]

  package init(
    _ name: String, at position: SwiftPosition, arguments: [SwiftArgument] = [],
    clauses: [Clause] = []
  ) {
    self.name = name
    self.position = position
    self.arguments = arguments
    self.clauses = clauses
  }

  /// Attributes that depend on a condition.
  package struct Clause: Hashable, Sendable {
    /// The word `if`, `elseif` or `else`.
    package let name: String

    /// The condition; `nil` for `#else`.
    package let condition: SwiftExpression?

    package let attributes: [SwiftAttribute]

    package init(_ name: String, _ condition: SwiftExpression?, _ attributes: [SwiftAttribute]) {
      self.name = name
      self.condition = condition
      self.attributes = attributes
    }
  }
}
