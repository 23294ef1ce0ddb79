import JSONText
import Platform
package import SQLite
import StoreModel

/// The functions of our own that formulas may call.
///
/// Each returns NULL for NULL, and for a value that it can't read. See `MigrationFiles.md`,
/// "Functions".
package enum FormulaFunctions {
  package static let all = dates + texts + numbers

  private static let dates = [
    ScalarFunction("date_from_text", arguments: 1...2) { arguments throws(ScalarFunction.Failure) in
      let format = try dateFormat(arguments)
      return arguments[0].validText.flatMap(format.date).map { .real($0) } ?? .null
    },
    ScalarFunction("text_from_date", arguments: 1...2) { arguments throws(ScalarFunction.Failure) in
      let format = try dateFormat(arguments)
      return arguments[0].anyNumber.flatMap(format.bytes).map { .text($0) } ?? .null
    },
    ScalarFunction("date_from_unix") { sum($0[0], -Timestamp.referenceDate) },
    ScalarFunction("unix_from_date") { sum($0[0], Timestamp.referenceDate) },
  ]

  private static let texts = [
    ScalarFunction("uuid_from_text") { arguments in
      arguments[0].validText.flatMap { uuidBytes($0) }.map { .blob($0) } ?? .null
    },
    ScalarFunction("text_from_uuid") { arguments in
      guard case .blob(let bytes) = arguments[0], bytes.count == 16 else { return .null }
      return .text(uuidText(bytes))
    },
    ScalarFunction("base64_from_data") { arguments in
      guard case .blob(let bytes) = arguments[0] else { return .null }
      return .text(base64Encoded(bytes))
    },
    ScalarFunction("data_from_base64") { arguments in
      arguments[0].validText.flatMap { base64Decoded($0) }.map { .blob($0) } ?? .null
    },
    ScalarFunction("text_from_utf8") { arguments in
      guard case .blob(let bytes) = arguments[0],
        String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0)
      else { return .null }
      return .text(bytes)
    },
    ScalarFunction("utf8_from_text") { arguments in
      guard case .text(let bytes) = arguments[0] else { return .null }
      return .blob(bytes)
    },
  ]

  private static let numbers = [
    ScalarFunction("integer_from_text") { arguments in
      guard case .integer(let number)? = arguments[0].validText.flatMap(Value.init(numberText:))
      else { return .null }
      return .integer(number)
    },
    ScalarFunction("number_from_text") { arguments in
      arguments[0].validText.flatMap(Value.init(numberText:)) ?? .null
    },
    ScalarFunction("text_from_number") { arguments in
      switch arguments[0] {
      case .integer(let number): .text(String(number))
      case .real(let number):
        .text(
          Int64(exactly: number).map { $0 == 0 && number.sign == .minus ? "-0.0" : "\($0)" }
            ?? "\(number)")
      case .null, .text, .blob: .null
      }
    },
  ]

  /// Adds seconds to a date; NULL if the date isn't a number, or the sum of integers is too large.
  private static func sum(_ date: Value, _ seconds: Int64) -> Value {
    switch date {
    case .integer(let number):
      let (sum, overflow) = number.addingReportingOverflow(seconds)
      return overflow ? .null : .integer(sum)
    case .real(let number): return .real(number + Double(seconds))
    case .null, .text, .blob: return .null
    }
  }

  private static func dateFormat(
    _ arguments: [Value]
  ) throws(ScalarFunction.Failure) -> DateFormat {
    guard arguments.count > 1 else { return .iso8601 }
    if case .text(let bytes) = arguments[1],
      let known = lastFormat.withLock({ $0?.bytes == bytes ? $0?.format : nil })
    {
      return known
    }
    guard let pattern = arguments[1].validText, let format = DateFormat(pattern) else {
      throw .init("the second argument isn't the format of a date, such as yyyy-MM-dd")
    }
    lastFormat.withLock { $0 = (Array(pattern.utf8), format) }
    return format
  }

  /// The format of the last call, which most calls have in common.
  private static let lastFormat = Guarded<(bytes: [UInt8], format: DateFormat)?>(nil)
}

extension Value {
  /// The text, if it is one in UTF-8.
  fileprivate var validText: String? {
    guard case .text(let bytes) = self else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  fileprivate var anyNumber: Double? { int64.map(Double.init) ?? double }

  /// Reads a number: an optional sign, digits, and optionally a point with digits and an exponent.
  fileprivate init?(numberText text: String) {
    var rest = Substring(text)
    func skipDigits() -> Bool {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      return !digits.isEmpty
    }
    func skip(_ characters: Set<Character>) -> Bool {
      guard let first = rest.first, characters.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }
    _ = skip(["+", "-"])
    guard skipDigits() else { return nil }
    if rest.isEmpty, let number = Int64(text) {
      self = .integer(number)
      return
    }
    if skip(["."]) { guard skipDigits() else { return nil } }
    if skip(["e", "E"]) {
      _ = skip(["+", "-"])
      guard skipDigits() else { return nil }
    }
    guard rest.isEmpty, let number = Double(text), number.isFinite else { return nil }
    self = .real(number)
  }
}
