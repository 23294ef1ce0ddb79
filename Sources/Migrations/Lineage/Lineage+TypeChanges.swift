import SQLite
import StoreModel

extension Lineage {
  /// Reads the values of an attribute in the type that it has in the target.
  mutating func retype(
    _ path: PropertyPath, by change: TypeChange, in context: StepContext, names: TargetNames
  ) throws(LineageError) {
    let cell = try singleCell(of: path, in: context)
    guard
      case .attribute(let attribute) = try context.targetProperty(
        path, entity: names.target(path.entity)), let leaf = attribute.leaves.first,
      let type = try entity(path.entity, in: context).types[cell.path]
    else { throw .wrongValue(path, type: "a value of an attribute", in: context.migration) }
    let source = context.source[names.source(path.entity)]?[path.property]
    let isExternal =
      if case .attribute(let old) = source { old.allowsExternalStorage } else { false }
    guard !isExternal, !attribute.allowsExternalStorage,
      let read = TypeReading(from: type, to: leaf.attribute.type, change.format),
      let back = TypeReading(from: leaf.attribute.type, to: type, change.format)
    else {
      throw .noTypeChange(
        path, from: type.name, to: leaf.attribute.type.name, format: change.format,
        in: context.migration)
    }
    let name = quoteIdentifier(cell.path)
    let value = read.sql(of: name)
    var otherwise = "NULL"
    if let given = change.otherwise {
      otherwise = try literal(given, leaf.attribute, path, context)
    }
    let isRefused = change.otherwise == nil
    let classes = ValueClasses(
      formula: Formula(
        "CASE WHEN \(name) IS NULL THEN 'nil' WHEN \(value) IS NOT NULL THEN 'read' "
          + "ELSE '\(isRefused ? "refused" : "unreadable")' END"),
      names: ["read"] + (isRefused ? [] : ["unreadable"]) + ["nil"],
      refusal: "can't be read as \(leaf.attribute.type.name)"
        + (change.format.map { " in the form '\($0)'" } ?? ""))
    try compute(
      path,
      by: Formula("CASE WHEN \(name) IS NOT NULL THEN coalesce(\(value), \(otherwise)) END"),
      classes: classes, inverse: Formula(back.sql(of: quoteIdentifier(leaf.cellName))),
      in: context, names: names)
  }
}

/// The SQL that reads a value of one type in another; NULL for a value that it can't read.
private struct TypeReading {
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
      (function, range) = ("integer_from_text", new.range)
    case (.boolean, .integer16), (.boolean, .integer32), (.boolean, .integer64): break
    case (.integer16, .boolean), (.integer32, .boolean), (.integer64, .boolean): range = 0...1
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

extension AttributeType {
  /// The whole numbers of the type.
  fileprivate var range: ClosedRange<Int64> {
    switch self {
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    default: Int64.min...Int64.max
    }
  }
}
