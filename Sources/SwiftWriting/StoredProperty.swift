/// A stored property of a class, as Swift declares it.
struct StoredProperty {
  /// The name, in backticks if it is a keyword.
  let name: String

  /// The type, with a question mark if the property is optional.
  let type: String

  /// The attached macros, such as `@Attribute(.unique)`.
  var macros: [String] = []

  /// The default value as an expression; `nil` if the property has none.
  var defaultValue: String?

  /// The default of the initialiser's parameter, if it differs from the property's.
  var parameterDefault: String?

  /// What a reader must know, as sentences.
  var notes: [String] = []

  /// The lines of the declaration of a type that only this property has.
  var nestedType: [String] = []

  /// The name as the label of an argument.
  var label: String { SwiftIdentifier.label(name.filter { $0 != "`" }) }

  /// Whether the property is stored and must have a value.
  var isMandatory: Bool { !type.hasSuffix("?") }

  /// The declaration, after its notes.
  var lines: [String] {
    let value = defaultValue.map { " = \($0)" } ?? ""
    let declaration = "var \(name): \(type)\(value)"
    let macros = macros.joined(separator: " ")
    let line = macros.isEmpty ? declaration : "\(macros) \(declaration)"
    let comments = notes.flatMap { $0.commentLines(prefix: "// ") }
    return comments + (line.count <= 96 || macros.isEmpty ? [line] : [macros, declaration])
  }

  /// The parameter of the initialiser.
  var parameter: String {
    "\(name): \(type)" + ((defaultValue ?? parameterDefault).map { " = \($0)" } ?? "")
  }
}

extension String {
  /// Returns the text as lines of at most 90 characters, each with a prefix.
  ///
  /// A line break in a name doesn't end a comment.
  func commentLines(prefix: String) -> [String] {
    var lines: [String] = []
    for word in split(whereSeparator: \.isWhitespace) {
      if let last = lines.last, last.count + word.count < 90 {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(prefix + word)
      }
    }
    return lines
  }

  /// The text, indented by two columns for each level; an empty line stays empty.
  func indented(_ levels: Int = 1) -> String {
    isEmpty ? self : String(repeating: "  ", count: levels) + self
  }
}
