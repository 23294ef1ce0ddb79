/// Text in GitHub's Markdown, in which nothing that a name holds means anything.
///
/// Names of entities and paths come from files that anybody may have made.
enum Markdown {
  /// Returns a name as code; a long one is cut.
  static func code(_ name: String) -> String {
    let name = name.printable.cut(at: 200)
    let isPlain = name.allSatisfy { $0 != "`" && $0 != "|" } && !name.isEmpty
    if isPlain && name.first != " " && name.last != " " { return "`\(name)`" }
    return "<code>\(escaped(name))</code>"
  }

  /// Returns a sentence as plain text; a long one is cut.
  static func text(_ sentence: String) -> String {
    escaped(sentence.printable.cut(at: 1_000))
  }

  /// Returns the lines of a command.
  static func block(_ command: String) -> [String] {
    let fence = String(repeating: "`", count: max(3, command.longestRun(of: "`") + 1))
    return [fence + "sh", command.cut(at: 8_000), fence]
  }

  /// Returns a line of a table.
  static func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }

  /// Returns a text in which no character is markup.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      // GitHub makes links of these after everything else, entities or not; a comment between keeps it off.
      case "@", "#": result += "\(scalar)<!-- -->"
      case "'", ",", ".", ":", ";", "-", "/", "(", ")", "%", "+", "=", "?", "\"":
        result.unicodeScalars.append(scalar)
      case "!"..."~" where !scalar.properties.isAlphabetic && scalar.properties.numericType == nil:
        result += "&#\(scalar.value);"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}

extension String {
  /// The text, or its beginning with an ellipsis.
  fileprivate func cut(at limit: Int) -> String {
    utf8.count <= limit ? self : prefix(limit / 4) + "…"
  }

  fileprivate func longestRun(of character: Character) -> Int {
    var (longest, run) = (0, 0)
    for other in self {
      run = other == character ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}
