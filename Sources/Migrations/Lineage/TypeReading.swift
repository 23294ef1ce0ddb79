import SQLite
import StoreModel

/// The SQL that reads a value of one type in another; NULL for a value that it can't read.
struct TypeReading {
  /// The SQL before and after the value.
  private let parts: (before: String, after: String)

  /// The whole numbers that the new type has; `nil` if it has all values.
  private let range: ClosedRange<Int64>?

  init?(from old: AttributeType, to new: AttributeType, _ format: String?) {
    var (function, argument) = ("", "")
    var range: ClosedRange<Int64>?
    switch (old, new) {
    case (.string, .date), (.date, .string):
      guard format.map({ DateFormat($0) != nil }) ?? true else { return nil }
      function = new == .date ? "date_from_text" : "text_from_date"
      argument = format.map { ", \(Value.text($0).literal)" } ?? ""
    case (.binary, .string) where format == "base64": function = "base64_from_data"
    case (.string, .binary) where format == "base64": function = "data_from_base64"
    case (.binary, .string) where format ?? "utf-8" == "utf-8": function = "text_from_utf8"
    case (.string, .binary) where format ?? "utf-8" == "utf-8": function = "utf8_from_text"
    case _ where format != nil: return nil
    case (.string, .uuid): function = "uuid_from_text"
    case (.uuid, .string): function = "text_from_uuid"
    case (.string, .double), (.string, .float), (.string, .decimal): function = "number_from_text"
    case (.double, .string), (.float, .string), (.decimal, .string), (.integer16, .string),
      (.integer32, .string), (.integer64, .string):
      function = "text_from_number"
    case (.string, .integer16), (.string, .integer32), (.string, .integer64):
      (function, range) = ("integer_from_text", new.integerRange)
    case (.integer16, .integer32), (.integer16, .integer64), (.integer32, .integer64),
      (.integer32, .integer16), (.integer64, .integer16), (.integer64, .integer32):
      range = new.integerRange
    // A column of Booleans can hold any number.
    case (.boolean, .integer16), (.boolean, .integer32), (.boolean, .integer64),
      (.integer16, .boolean), (.integer32, .boolean), (.integer64, .boolean):
      range = 0...1
    default: return nil
    }
    parts = ("\(function)(", "\(argument))")
    self.range = range
  }

  func sql(of name: String) -> String {
    let value = parts.before + name + parts.after
    guard let range else { return value }
    return "iif(\(value) BETWEEN \(range.lowerBound) AND \(range.upperBound), \(value), NULL)"
  }
}
