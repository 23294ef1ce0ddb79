/// The description of a parameter: names, values and help.
///
/// The parser, usage errors, help, completions and the man page all read this one value.
package struct Declaration: Hashable, Sendable {
  /// The syntax of a parameter on the command line.
  package enum Kind: Hashable, Sendable {
    /// A positional word.
    case argument
    /// A name followed by a value.
    case option
    /// A name without a value.
    case flag
  }

  /// The number of times that a parameter may be given.
  package enum Count: Hashable, Sendable {
    /// Exactly once.
    case required
    /// At most once.
    case optional
    /// At least a minimum number of times.
    case repeated(atLeast: Int)
  }

  /// The syntax of the parameter.
  package let kind: Kind

  /// The names with their dashes, the preferred one first; empty for an argument.
  package let names: [String]

  /// The placeholder of the value, without angle brackets; empty for a flag.
  package let valueName: String

  /// The number of times that the parameter may be given.
  package let count: Count

  /// The help text.
  package let help: String

  /// The default value, as typed; `nil` if the parameter has no default.
  package let defaultText: String?

  /// All valid values; empty if there are too many to list.
  package let choices: [String]

  /// The range of valid integers, or `nil`.
  package let range: ClosedRange<Int>?

  /// The completions of the value.
  package let completion: Completion

  /// A Boolean value indicating whether help, completions and the man page omit the parameter.
  package let isHidden: Bool

  /// The names that can't be combined with this one.
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
  /// The identifier of the parameter within its command.
  var id: String { names.first ?? "<\(valueName)>" }

  /// The preferred name with the value's placeholder: `--to <version>`, `<store>`.
  var label: String {
    switch kind {
    case .argument: "<\(valueName)>"
    case .option: "\(id) <\(valueName)>"
    case .flag: id
    }
  }

  /// All names, the short ones first: `-m, --migrations <directory>`.
  var fullLabel: String {
    guard kind != .argument else { return repeats ? "\(label)..." : label }
    let names = (names.filter(\.isShortName) + names.filter { !$0.isShortName })
      .joined(separator: ", ")
    return kind == .option ? "\(names) <\(valueName)>" : names
  }

  /// A Boolean value indicating whether the parameter takes more than one value.
  var repeats: Bool {
    if case .repeated = count { true } else { false }
  }

  /// The minimum number of times that the parameter must be given.
  var minimum: Int {
    switch count {
    case .required: 1
    case .optional: 0
    case .repeated(let atLeast): atLeast
    }
  }
}

extension String {
  /// A Boolean value indicating whether this is a dash and one letter.
  var isShortName: Bool { count == 2 && hasPrefix("-") && self != "--" }
}
