/// The rules for names in Swift source.
enum SwiftIdentifier {
  /// Returns whether a text is a Swift name, or a keyword that backticks make one.
  static func isName(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, text != "_" else { return false }
    return (first == "_" || first.properties.isXIDStart)
      && text.unicodeScalars.allSatisfy(\.properties.isXIDContinue)
  }

  /// Returns a name as source spells it: a keyword stands in backticks.
  static func spelled(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// Returns a name as the label of an argument, which only a few keywords need backticks for.
  static func label(_ name: String) -> String {
    ["inout", "let", "var"].contains(name) ? "`\(name)`" : name
  }

  /// Returns a name for an enum's case, a type or a property that is made from any text.
  ///
  /// Other characters than letters, digits and underscores are left out.
  static func made(from text: String) -> String {
    let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    let name = words.enumerated().map { $0 == 0 ? String($1) : capitalized(String($1)) }.joined()
    return isName(name) ? name : "_" + name.unicodeScalars.filter(\.properties.isXIDContinue).text
  }

  /// Returns a name with a capital as its first letter.
  static func capitalized(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }

  /// Returns a name with a small first letter.
  static func uncapitalized(_ name: String) -> String {
    name.prefix(1).lowercased() + name.dropFirst()
  }

  private static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class",
    "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough",
    "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout",
    "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
    "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch",
    "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]
}

extension [Unicode.Scalar] {
  fileprivate var text: String { String(String.UnicodeScalarView(self)) }
}

extension String {
  /// The text as a string literal.
  var swiftLiteral: String {
    let escaped = unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "\n": "\\n"
      default:
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
          "\\u{\(String(scalar.value, radix: 16))}"
        default: String(scalar)
        }
      }
    }
    return "\"\(escaped.joined())\""
  }
}
