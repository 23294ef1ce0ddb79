/// A type whose values can be given on the command line.
///
/// A string enumeration only needs to declare conformance; its cases are the choices:
///
/// ```swift
/// enum Format: String, CaseIterable, ArgumentValue { case text, json }
/// ```
package protocol ArgumentValue: Sendable {
  /// Creates a value from a word.
  init(argument: String) throws(ArgumentValueError)

  /// All valid words; empty if there are too many to list.
  static var choices: [String] { get }

  /// The word for this value.
  var argumentText: String { get }
}

/// The reason why a word isn't a valid value.
package enum ArgumentValueError: Error, Hashable, Sendable {
  /// The word has the wrong form; `expected` is a phrase such as "an integer".
  case malformed(expected: String)
  /// The value is too small or too large; the string is a phrase such as "1 to 64".
  case outOfRange(String)
  /// The word isn't one of the choices.
  case notAmong([String])
}

extension ArgumentValue {
  package static var choices: [String] { [] }
}

extension ArgumentValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  package init(argument: String) throws(ArgumentValueError) {
    guard let value = Self(rawValue: argument) else { throw .notAmong(Self.choices) }
    self = value
  }

  package static var choices: [String] { allCases.map(\.rawValue) }

  package var argumentText: String { rawValue }
}

extension String: ArgumentValue {
  package init(argument: String) { self = argument }

  package var argumentText: String { self }
}

extension ArgumentValue where Self: FixedWidthInteger {
  package init(argument: String) throws(ArgumentValueError) {
    if let value = Self(argument) {
      self = value
    } else if argument.isInteger {
      throw .outOfRange("\(Self.min) to \(Self.max)")
    } else {
      throw .malformed(expected: "an integer")
    }
  }

  package var argumentText: String { String(self) }
}

extension Int: ArgumentValue {}
extension UInt64: ArgumentValue {}

extension Duration: ArgumentValue {
  package init(argument: String) throws(ArgumentValueError) {
    let units: [(suffix: String, scale: Int64)] = [
      ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000),
      ("d", 86_400_000),
    ]
    guard let unit = units.first(where: { argument.hasSuffix($0.suffix) }),
      case let digits = argument.dropLast(unit.suffix.count), !digits.isEmpty,
      digits.allSatisfy({ $0.isASCII && $0.isNumber })
    else { throw .malformed(expected: "a duration such as '500ms', '10s', '2m' or '7d'") }
    let product = Int64(digits)?.multipliedReportingOverflow(by: unit.scale)
    guard let product, !product.overflow else {
      throw .outOfRange("at most \(Int64.max / unit.scale)\(unit.suffix)")
    }
    self = .milliseconds(product.partialValue)
  }

  package var argumentText: String {
    let (seconds, attoseconds) = components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    if milliseconds != 0 { return "\(seconds * 1_000 + milliseconds)ms" }
    return seconds != 0 && seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
  }
}

extension String {
  /// A Boolean value indicating whether this is decimal digits after an optional sign.
  var isInteger: Bool {
    let digits = hasPrefix("-") || hasPrefix("+") ? dropFirst() : self[...]
    return !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// A Boolean value indicating whether this is a minus sign and a decimal number.
  var isNegativeNumber: Bool {
    guard hasPrefix("-") else { return false }
    let parts = dropFirst().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }
  }
}

extension ClosedRange<Int> {
  /// The bounds in words.
  var sentence: String {
    if upperBound == .max { return "at least \(lowerBound)" }
    return lowerBound == .min ? "at most \(upperBound)" : "\(lowerBound) to \(upperBound)"
  }
}
