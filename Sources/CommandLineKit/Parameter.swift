/// A parameter of a command: ``Argument``, ``Option``, ``Flag`` or ``ExclusiveFlags``.
///
/// A parameter is both a declaration and the typed key to its value:
///
/// ```swift
/// static let store = Argument<String>("store", help: "The store to read.", completion: .file)
/// …
/// store = input[Self.store]
/// ```
package protocol Parameter<Value>: Sendable {
  /// The type of the value.
  associatedtype Value: Sendable

  /// The declarations; more than one only for ``ExclusiveFlags``.
  var declarations: [Declaration] { get }

  /// Converts the occurrences to a value.
  func value(of occurrences: [Occurrence]) throws(UsageError) -> Value
}

/// One occurrence of a parameter on the command line.
package struct Occurrence: Hashable, Sendable {
  /// The name, as typed, or the label of an argument.
  package let name: String

  /// The value, as typed; empty for a flag.
  package let value: String
}

extension Parameter {
  /// The identifier of the parameter within its command.
  var id: String { declarations.first?.id ?? "" }
}

extension Declaration {
  /// Returns the single given value, or `nil`.
  func single<Element: ArgumentValue>(
    _ occurrences: [Occurrence], as type: Element.Type
  ) throws(UsageError) -> Element? {
    guard let first = occurrences.first else { return nil }
    guard occurrences.count == 1 else { throw .repeated(option: occurrences[1].name) }
    return try converted(first)
  }

  /// Returns the given values, in order.
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
