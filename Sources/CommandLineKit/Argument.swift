/// A positional parameter: `<store>`.
///
/// The type determines the number of words: `Argument<String>` takes one, `Argument<String?>` at
/// most one, and `Argument<[String]>` any number, by default at least one. A repeated argument
/// leaves enough words for the arguments declared after it.
package struct Argument<Value: Sendable>: Parameter {
  package let declarations: [Declaration]
  private let read: @Sendable ([Occurrence]) throws(UsageError) -> Value

  /// Creates a required argument.
  package init(
    _ name: String, in range: ClosedRange<Int>? = nil, help: String,
    completion: Completion = .none, isHidden: Bool = false
  ) where Value: ArgumentValue {
    let declaration = Declaration(
      .argument, valueName: name, count: .required, help: help, choices: Value.choices,
      range: range, completion: completion, isHidden: isHidden)
    declarations = [declaration]
    read = { occurrences throws(UsageError) in
      guard let value = try declaration.single(occurrences, as: Value.self) else {
        throw .missing(label: declaration.label)
      }
      return value
    }
  }

  /// Creates an optional argument.
  package init<Element: ArgumentValue>(
    _ name: String, in range: ClosedRange<Int>? = nil, help: String,
    completion: Completion = .none, isHidden: Bool = false
  ) where Value == Element? {
    let declaration = Declaration(
      .argument, valueName: name, count: .optional, help: help, choices: Element.choices,
      range: range, completion: completion, isHidden: isHidden)
    declarations = [declaration]
    read = { occurrences throws(UsageError) in
      try declaration.single(occurrences, as: Element.self)
    }
  }

  /// Creates a repeated argument.
  package init<Element: ArgumentValue>(
    _ name: String, atLeast minimum: Int = 1, in range: ClosedRange<Int>? = nil, help: String,
    completion: Completion = .none, isHidden: Bool = false
  ) where Value == [Element] {
    let declaration = Declaration(
      .argument, valueName: name, count: .repeated(atLeast: minimum), help: help,
      choices: Element.choices, range: range, completion: completion, isHidden: isHidden)
    declarations = [declaration]
    read = { occurrences throws(UsageError) in try declaration.all(occurrences, as: Element.self) }
  }

  package func value(of occurrences: [Occurrence]) throws(UsageError) -> Value {
    try read(occurrences)
  }
}
