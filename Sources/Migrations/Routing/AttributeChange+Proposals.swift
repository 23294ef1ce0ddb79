import JSONText
import StoreModel

/// The steps that a change of type suggests, as examples with placeholders in capitals.
extension AttributeChange {
  /// The step that the models alone suggest.
  var example: String {
    // No converter reads values that may be in files.
    if isExternal { return #"{ "drop": "\(path)" }, { "add": "\(path)" }"# }
    return readings(of: "").isEmpty ? converting ?? fallback : retyping()
  }

  /// The step `convert`, with a placeholder for the converter.
  package var fallback: String { convert(with: "CONVERTER") }

  /// The step `convert`, if a converter is made for the two types; else `nil`.
  package var converting: String? {
    guard let before = old.onlyLeaf, let after = new.onlyLeaf else { return nil }
    switch (before, after) {
    case (.integer16, .double), (.integer32, .double), (.integer64, .double):
      return convert(with: #""real""#)
    case (.double, .integer16), (.double, .integer32), (.double, .integer64):
      return convert(with: #""integer""#)
    case (.string, .string) where old.type != new.type: return convert(with: #""raw-value""#)
    default: return nil
    }
  }

  /// Returns the forms that `retype` may read the values in, each with the SQL that reads a column.
  package func readings(of column: String) -> [(format: String?, sql: String)] {
    guard let before = old.onlyLeaf, let after = new.onlyLeaf, !isExternal else { return [] }
    return formats.compactMap { format in
      TypeReading(from: before, to: after, format).map { (format, $0.sql(of: column)) }
    }
  }

  /// Returns the step `retype`, with a placeholder for unreadable values if there are any.
  package func retyping(format: String? = nil, leavesValues: Bool = false) -> String {
    let form = format.map { #", "format": "\#($0)""# } ?? ""
    return #"{ "retype": "\#(path)"\#(form)\#(leavesValues ? #", "else": VALUE"# : "") }"#
  }

  /// Returns the step `map`, with these keys; `nil` for a placeholder.
  package func mapping(_ keys: [String]?) -> String {
    let pairs = keys.map { $0.map { "\(JSONValue.string($0).text()): NEW" } } ?? ["OLD: NEW"]
    return #"{ "map": "\#(path)", "values": { \#(pairs.joined(separator: ", ")) } }"#
  }

  /// Whether a table can name the values, and there can be few different ones.
  package var isMappable: Bool {
    switch old.onlyLeaf {
    case .string, .boolean, .integer16, .integer32, .integer64: new.onlyLeaf != nil && !isExternal
    default: false
    }
  }

  /// Whether the new values are texts, which may name what the old values stand for.
  package var leadsToText: Bool { new.onlyLeaf == .string }

  private func convert(with converter: String) -> String {
    #"{ "convert": "\#(path)", "with": \#(converter) }"#
  }

  private var isExternal: Bool { old.allowsExternalStorage || new.allowsExternalStorage }

  /// The forms to try, the default first.
  private var formats: [String?] {
    switch (old.type, new.type) {
    case (.string, .date):
      [nil, "yyyy-MM-dd", "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd'T'HH:mm:ssXXX"]
    case (.binary, .string), (.string, .binary): [nil, "base64"]
    default: [nil]
    }
  }
}

extension Attribute {
  /// The type of the values; `nil` for a composite of several.
  fileprivate var onlyLeaf: AttributeType? {
    leaves.count == 1 ? leaves.first?.attribute.type : nil
  }
}
