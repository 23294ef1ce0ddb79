/// A parameter without a value, such as `--json`.
///
/// Its value is `true` if it is given at least once.
package struct Flag: Parameter {
  package let declarations: [Declaration]

  /// Creates a flag.
  package init(_ names: String..., help: String, isHidden: Bool = false) {
    declarations = [
      Declaration(.flag, names: names, count: .optional, help: help, isHidden: isHidden)
    ]
  }

  package func value(of occurrences: [Occurrence]) -> Bool { !occurrences.isEmpty }
}

/// Mutually exclusive flags, such as `--keep-changes` and `--discard-changes`.
///
/// The value is the choice of the given flag, or `nil`.
package struct ExclusiveFlags<Choice: Sendable>: Parameter {
  /// One of the flags, and its choice.
  package struct Member: Sendable {
    let name: String
    let choice: Choice
    let help: String

    /// Creates a flag with its choice.
    package static func flag(_ name: String, _ choice: Choice, help: String) -> Self {
      Self(name: name, choice: choice, help: help)
    }
  }

  package let declarations: [Declaration]
  private let members: [Member]

  /// Creates mutually exclusive flags.
  package init(_ members: Member...) {
    self.members = members
    let names = members.map(\.name)
    declarations = members.map { member in
      Declaration(
        .flag, names: [member.name], count: .optional, help: member.help,
        excludes: names.filter { $0 != member.name })
    }
  }

  package func value(of occurrences: [Occurrence]) throws(UsageError) -> Choice? {
    guard let first = occurrences.first else { return nil }
    if let other = occurrences.first(where: { $0.name != first.name }) {
      throw .exclusive(first.name, other.name)
    }
    return members.first { $0.name == first.name }?.choice
  }
}
