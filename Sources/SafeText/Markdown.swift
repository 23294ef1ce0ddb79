import StoreModel

/// Escapes text for GitHub's Markdown, so that names can't contain markup.
///
/// Names of entities and paths come from files that the user may not trust.
package enum Markdown {
  /// Returns a name as code, truncated if it is long.
  package static func code(_ name: String) -> String {
    let name = name.printable.cut(at: 200)
    let isPlain = name.allSatisfy { $0 != "`" && $0 != "|" } && !name.isEmpty
    if isPlain && name.first != " " && name.last != " " { return "`\(name)`" }
    return "<code>\(escaped(name))</code>"
  }

  /// Returns a sentence as plain text, truncated if it has more bytes than the limit.
  package static func text(_ sentence: String, limit: Int = 1_000) -> String {
    escaped(sentence.printable.cut(at: limit))
  }

  /// Returns a message of the tool, with options as code, which isn't broken at its hyphens.
  package static func message(_ sentence: String) -> String {
    let parts = sentence.printable.cut(at: 1_000).optionParts
    return parts.map { $0.isCode ? code($0.text) : escaped($0.text) }.joined()
  }

  /// Returns the lines of a command; a command that is too long is omitted, not truncated.
  package static func block(_ command: String) -> [String] {
    guard command.utf8.count <= 8_000 else { return ["_The command is too long for a comment._"] }
    let fence = String(repeating: "`", count: max(3, command.longestRun(of: "`") + 1))
    return [fence + "sh", command, fence]
  }

  /// Returns the entries of a list, as many as fit, and the number of the others.
  package static func list(_ entries: [String], most limit: Int, bytes: Int) -> [String] {
    var rest = bytes
    let shown = entries.prefix(limit).prefix { entry in
      rest -= entry.utf8.count + 3
      return rest >= 0
    }
    let more = entries.count - shown.count
    return shown.map { "- " + $0 } + (more > 0 ? ["- and \(more.grouped) more"] : [])
  }

  /// Returns a row of a table.
  package static func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }

  /// Returns a text without markup characters.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      // GitHub links '@' and '#' even if they are entities; a comment after them prevents it.
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
  /// Returns the text, or its beginning with an ellipsis.
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
