import StoreModel

/// Declares the type of a composite attribute.
struct CompositeText {
  let attribute: Attribute
  let typeName: String
  let names: TypeNames

  private var kind: CompositeKind { CompositeKind(attribute) }

  /// The lines of the declaration; empty if SwiftUI declares the type.
  var declaration: [String] {
    switch kind {
    case .resolvedColor: []
    case .rawEnum: rawEnum
    case .caseEnum: caseEnum
    case .structure: structure
    }
  }

  /// Returns the expression of a default value; `nil` if it can't be written.
  func expression(_ value: ModelValue) -> String? {
    guard case .dictionary(let values) = value else { return nil }
    let elements = attribute.elements.filter { values[$0.name].map { $0 != .null } ?? false }
    guard elements.count == values.count(where: { $0.value != .null }) else { return nil }
    switch kind {
    case .resolvedColor: return nil
    case .rawEnum: return defaultCase.map { "\(typeName).\(SwiftIdentifier.spelled($0.name))" }
    case .caseEnum:
      guard elements.count == 1, elements[0].type == .string else { return nil }
      return "\(typeName).\(SwiftIdentifier.spelled(elements[0].name))"
    case .structure:
      let arguments = elements.map { element in
        values[element.name].flatMap {
          DefaultLiteral(names: names).expression($0, of: element.type)
        }.map { "\(SwiftIdentifier.label(element.name)): \($0)" }
      }
      guard !arguments.contains(nil) else { return nil }
      return "\(typeName)(\(arguments.compactMap(\.self).joined(separator: ", ")))"
    }
  }

  private var conformances: String { "\(names["Codable"]), \(names["Hashable"])" }

  private var rawEnum: [String] {
    let type = attribute.elements[0].type
    let known = defaultCase
    let text =
      known == nil
      ? "The model doesn't have the cases of this enum: replace 'placeholder' by the app's."
      : "The model has only the case of the default: add the app's other cases."
    let literal = known?.literal ?? (type == .string ? "\"placeholder\"" : "0")
    let name = known?.name ?? "placeholder"
    let value = literal == "\"\(name)\"" ? "" : " = \(literal)"
    return text.commentLines(prefix: "// ") + [
      "enum \(typeName): \(names[type.swiftName]), \(conformances) {",
      "  case \(SwiftIdentifier.spelled(name))\(value)", "}",
    ]
  }

  /// The case of an enum with raw values that the default value names.
  private var defaultCase: (name: String, literal: String)? {
    guard kind == .rawEnum, case .dictionary(let values)? = attribute.defaultValue,
      let value = values[attribute.name], let element = attribute.elements.first,
      let literal = DefaultLiteral(names: names).expression(value, of: element.type)
    else { return nil }
    if case .string(let text) = value, SwiftIdentifier.isName(text),
      !["init", "self", "Type", "Protocol"].contains(text)
    {
      return (text, literal)
    }
    return ("defaultValue", literal)
  }

  private var caseEnum: [String] {
    let cases = attribute.elements.map { element in
      let name = SwiftIdentifier.spelled(element.name)
      return "  case \(name)"
        + (element.type == .string ? "" : "(\(names[element.type.swiftName]))")
    }
    let note =
      "A case of a String has the same element as one without a value: compare with the app."
    return note.commentLines(prefix: "// ")
      + ["enum \(typeName): \(conformances) {"] + cases + ["}"]
  }

  private var structure: [String] {
    let lines = attribute.elements.flatMap { element -> [String] in
      let name = SwiftIdentifier.spelled(element.name)
      let note =
        element.type == .binary
        ? [
          "  // Data, or a nested value or array of the app's, stored as JSON: the model doesn't say."
        ]
        : []
      return note + ["  var \(name): \(names[element.type.swiftName])?"]
    }
    let note = "The model doesn't have the struct's name, nor which of its properties are optional."
    return note.commentLines(prefix: "// ")
      + ["struct \(typeName): \(conformances) {"] + lines + ["}"]
  }
}
