/// Something a command takes: an ``Argument``, an ``Option``, a ``Flag`` or ``ExclusiveFlags``.
///
/// A parameter is at once a declaration and the typed key to what was given for it:
///
/// ```swift
/// static let store = Argument<String>("store", help: "The store to read.", completion: .file)
/// …
/// store = input[Self.store]
/// ```
package protocol Parameter<Value>: Sendable {
  /// The type of what is given.
  associatedtype Value: Sendable

  /// What readers need to know; more than one entry only for flags that exclude each other.
  var declarations: [Declaration] { get }

  /// Converts what was given to a value.
  func value(of occurrences: [Occurrence]) throws(UsageError) -> Value
}

/// One time that a parameter was given.
package struct Occurrence: Hashable, Sendable {
  /// The name as it was typed, or the label of an argument.
  package let name: String

  /// The value as it was typed; empty for a flag.
  package let value: String
}

extension Parameter {
  /// The key of the parameter among those of its command.
  var id: String { declarations.first?.id ?? "" }
}

extension Declaration {
  /// The one value that was given, or nil when there is none.
  func single<Element: ArgumentValue>(
    _ occurrences: [Occurrence], as type: Element.Type
  ) throws(UsageError) -> Element? {
    guard let first = occurrences.first else { return nil }
    guard occurrences.count == 1 else { throw .repeated(option: occurrences[1].name) }
    return try converted(first)
  }

  /// The values that were given, in order.
  func all<Element: ArgumentValue>(
    _ occurrences: [Occurrence], as type: Element.Type
  ) throws(UsageError) -> [Element] {
    guard occurrences.count >= minimum else { throw .missing(label: label) }
    var values: [Element] = []
    for occurrence in occurrences { values.append(try converted(occurrence)) }
    return values
  }

  private func converted<Element: ArgumentValue>(
    _ occurrence: Occurrence
  ) throws(UsageError) -> Element {
    let text = occurrence.value
    do throws(ArgumentValueError) {
      let value = try Element(argument: text)
      if let range, let number = Int(text), !range.contains(number) { throw .outOfRange("") }
      return value
    } catch {
      throw switch error {
      case .malformed(let expected):
        .malformed(value: text, parameter: occurrence.name, expected: expected)
      case .outOfRange(let expected):
        .outOfRange(
          value: text, parameter: occurrence.name, expected: range?.sentence ?? expected)
      case .notAmong(let choices):
        .notAmong(value: text, parameter: occurrence.name, choices: choices)
      }
    }
  }
}
