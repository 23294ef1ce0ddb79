/// A word known by its place: `<store>`.
///
/// The type says how many words there are: `Argument<String>` takes one, `Argument<String?>` one or
/// none, and `Argument<[String]>` all there are, at least one unless told otherwise. An argument
/// that takes many leaves enough words for those declared after it.
package struct Argument<Value: Sendable>: Parameter {
  package let declarations: [Declaration]
  private let read: @Sendable ([Occurrence]) throws(UsageError) -> Value

  /// Creates an argument that must be given.
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

  /// Creates an argument that may be left out.
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

  /// Creates an argument that takes many words.
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
