/// A parameter with a name and a value: `--to <version>`.
///
/// The type determines the number of values: `Option<Int>` takes one (required unless there is a
/// default), `Option<Int?>` at most one, and `Option<[String]>` any number, each after the name.
/// `--to v2`, `--to=v2`, `-t v2` and `-t=v2` are equivalent. A value that begins with a dash needs
/// the equals sign, unless it is a single dash or a negative number.
package struct Option<Value: Sendable>: Parameter {
  package let declarations: [Declaration]
  private let read: @Sendable ([Occurrence]) throws(UsageError) -> Value

  /// Creates an option with a default value, or a required option without one.
  package init(
    _ names: String..., valueName: String, default defaultValue: Value? = nil,
    in range: ClosedRange<Int>? = nil, help: String, completion: Completion = .none,
    isHidden: Bool = false
  ) where Value: ArgumentValue {
    let declaration = Declaration(
      .option, names: names, valueName: valueName,
      count: defaultValue == nil ? .required : .optional, help: help,
      defaultText: defaultValue?.argumentText, choices: Value.choices, range: range,
      completion: completion, isHidden: isHidden)
    declarations = [declaration]
    read = { occurrences throws(UsageError) in
      guard let value = try declaration.single(occurrences, as: Value.self) ?? defaultValue else {
        throw .missing(label: declaration.label)
      }
      return value
    }
  }

  /// Creates an optional option.
  package init<Element: ArgumentValue>(
    _ names: String..., valueName: String, in range: ClosedRange<Int>? = nil, help: String,
    completion: Completion = .none, isHidden: Bool = false
  ) where Value == Element? {
    let declaration = Declaration(
      .option, names: names, valueName: valueName, count: .optional, help: help,
      choices: Element.choices, range: range, completion: completion, isHidden: isHidden)
    declarations = [declaration]
    read = { occurrences throws(UsageError) in
      try declaration.single(occurrences, as: Element.self)
    }
  }

  /// Creates a repeatable option.
  package init<Element: ArgumentValue>(
    _ names: String..., valueName: String, atLeast minimum: Int = 0,
    in range: ClosedRange<Int>? = nil, help: String, completion: Completion = .none,
    isHidden: Bool = false
  ) where Value == [Element] {
    let declaration = Declaration(
      .option, names: names, valueName: valueName, count: .repeated(atLeast: minimum), help: help,
      choices: Element.choices, range: range, completion: completion, isHidden: isHidden)
    declarations = [declaration]
    read = { occurrences throws(UsageError) in try declaration.all(occurrences, as: Element.self) }
  }

  package func value(of occurrences: [Occurrence]) throws(UsageError) -> Value {
    try read(occurrences)
  }
}
