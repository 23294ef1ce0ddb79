/// What a parameter says of itself: its names, its values, its help.
///
/// The parser, usage errors, help, completions and the man page all read this one value.
package struct Declaration: Hashable, Sendable {
  /// The way a parameter is written on the command line.
  package enum Kind: Hashable, Sendable {
    /// A word on its own, known by its place.
    case argument
    /// A name followed by a value.
    case option
    /// A name alone.
    case flag
  }

  /// How often a parameter may or must be given.
  package enum Count: Hashable, Sendable {
    /// Exactly once.
    case required
    /// Once, or not at all.
    case optional
    /// Any number of times from a minimum.
    case repeated(atLeast: Int)
  }

  /// The way the parameter is written.
  package let kind: Kind

  /// The spellings with their dashes, the preferred one first; none for an argument.
  package let names: [String]

  /// The word that stands for the value, without angle brackets; empty for a flag.
  package let valueName: String

  /// How often the parameter may be given.
  package let count: Count

  /// A sentence of help.
  package let help: String

  /// The value taken when none is given, as it would be typed.
  package let defaultText: String?

  /// All legal values where there are few; empty where there are many.
  package let choices: [String]

  /// The integers allowed, where only some are.
  package let range: ClosedRange<Int>?

  /// What a shell offers as the value.
  package let completion: Completion

  /// A Boolean value indicating whether help, completions and the man page leave it out.
  package let isHidden: Bool

  /// The names that can't be given together with this one.
  package let excludes: [String]

  init(
    _ kind: Kind, names: [String] = [], valueName: String = "", count: Count, help: String,
    defaultText: String? = nil, choices: [String] = [], range: ClosedRange<Int>? = nil,
    completion: Completion = .none, isHidden: Bool = false, excludes: [String] = []
  ) {
    self.kind = kind
    self.names = names
    self.valueName = valueName
    self.count = count
    self.help = help
    self.defaultText = defaultText
    self.choices = choices
    self.range = range
    self.completion = completion == .none && !choices.isEmpty ? .values(choices) : completion
    self.isHidden = isHidden
    self.excludes = excludes
  }
}

extension Declaration {
  /// The key of the parameter among those of its command.
  var id: String { names.first ?? "<\(valueName)>" }

  /// The preferred spelling with the value's name: `--to <version>`, `<store>`.
  var label: String {
    switch kind {
    case .argument: "<\(valueName)>"
    case .option: "\(id) <\(valueName)>"
    case .flag: id
    }
  }

  /// All spellings, the short ones first: `-m, --migrations <directory>`.
  var fullLabel: String {
    guard kind != .argument else { return repeats ? "\(label)..." : label }
    let names = (names.filter(\.isShortName) + names.filter { !$0.isShortName })
      .joined(separator: ", ")
    return kind == .option ? "\(names) <\(valueName)>" : names
  }

  /// A Boolean value indicating whether more than one value is taken.
  var repeats: Bool {
    if case .repeated = count { true } else { false }
  }

  /// The number of times the parameter must be given.
  var minimum: Int {
    switch count {
    case .required: 1
    case .optional: 0
    case .repeated(let atLeast): atLeast
    }
  }
}

extension String {
  /// A Boolean value indicating whether this is one dash and one letter.
  var isShortName: Bool { count == 2 && hasPrefix("-") && self != "--" }
}
