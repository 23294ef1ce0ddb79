/// A type as it is written, without sugar: `[String]?` is `Optional<Array<String>>`.
package struct SwiftType: Hashable, Sendable {
  /// The name with dots, or the text of a type that isn't a name.
  package let name: String

  /// The generic arguments.
  package let arguments: [SwiftType]

  package init(_ name: String, _ arguments: [SwiftType] = []) {
    self.name = name
    self.arguments = arguments
  }
}

extension SwiftType: CustomStringConvertible {
  package var description: String {
    arguments.isEmpty
      ? name : "\(name)<\(arguments.map(\.description).joined(separator: ", "))>"
  }
}

/// An expression, as far as models depend on it.
package struct SwiftExpression: Hashable, Sendable {
  /// The kind of an expression.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A string literal without interpolation; the text is its value.
    case string

    /// A number with its sign; the text is as written, without underscores.
    case integer, real

    case boolean
    case `nil`

    /// A name with dots, such as `.unique`.
    case name

    /// A type as a value, such as `Item.self`.
    case type

    /// A call; the text is the called expression.
    case call

    case array
    case dictionary

    /// A key path; the text has its properties with dots.
    case keyPath

    /// Operands and operators in turn, in the order of the source.
    case sequence

    /// An operator in a sequence, or before its only argument.
    case `operator`

    /// A conversion by `as` of its only argument.
    case cast

    /// Anything else; the text is a part of the source.
    case other
  }

  package let kind: Kind

  package let text: String

  /// The type that the expression names.
  ///
  /// It is called or converted to, stands before `.self` or `.none`, or a key path begins there.
  package let type: SwiftType?

  /// The arguments of a call, the elements of a collection, or the parts of a sequence.
  package let arguments: [SwiftArgument]

  package init(
    _ kind: Kind, _ text: String, type: SwiftType? = nil, _ arguments: [SwiftArgument] = []
  ) {
    self.kind = kind
    self.text = text
    self.type = type
    self.arguments = arguments
  }
}

/// An argument of a call, attribute or macro.
package struct SwiftArgument: Hashable, Sendable {
  /// The label, or `nil` if the argument has none.
  package let label: String?

  package let value: SwiftExpression

  package init(_ label: String?, _ value: SwiftExpression) {
    self.label = label
    self.value = value
  }
}

extension [SwiftArgument] {
  /// Returns the value of a labelled argument.
  package subscript(label: String) -> SwiftExpression? { first { $0.label == label }?.value }

  /// The values of the arguments without a label.
  package var unlabelled: [SwiftExpression] { filter { $0.label == nil }.map(\.value) }
}
