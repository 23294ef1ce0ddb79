/// A name alone, such as `--json`.
///
/// Its value is true when it is given, once or more often.
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

/// Flags of which at most one is given: `--keep-changes` or `--discard-changes`.
///
/// Its value is the choice of the flag given, or nil.
package struct ExclusiveFlags<Choice: Sendable>: Parameter {
  /// One of the flags, and what it stands for.
  package struct Member: Sendable {
    let name: String
    let choice: Choice
    let help: String

    /// Creates a flag that stands for a choice.
    package static func flag(_ name: String, _ choice: Choice, help: String) -> Self {
      Self(name: name, choice: choice, help: help)
    }
  }

  package let declarations: [Declaration]
  private let members: [Member]

  /// Creates flags that exclude each other.
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
