package import RowRewriting

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

  /// Returns a sentence as plain text; one that is longer than a number of bytes is cut.
  static func text(_ sentence: String, limit: Int = 1_000) -> String {
    escaped(sentence.printable.cut(at: limit))
  }

  /// Returns the lines of a command.
  ///
  /// Half a command is none: what is too long isn't shown.
  static func block(_ command: String) -> [String] {
    guard command.utf8.count <= 8_000 else { return ["_too long for a comment_"] }
    let fence = String(repeating: "`", count: max(3, command.longestRun(of: "`") + 1))
    return [fence + "sh", command, fence]
  }

  /// Returns the entries of a list, as many as there is room for, and how many aren't shown.
  static func list(_ entries: [String], most limit: Int, bytes: Int) -> [String] {
    var rest = bytes
    let shown = entries.prefix(limit).prefix { entry in
      rest -= entry.utf8.count + 3
      return rest >= 0
    }
    let more = entries.count - shown.count
    return shown.map { "- " + $0 } + (more > 0 ? ["- and \(more.grouped) more"] : [])
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
