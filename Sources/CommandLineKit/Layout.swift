/// Wraps text to a line width.
struct Layout {
  /// The line width, in columns.
  let width: Int

  /// The column at which the labels of a table begin.
  static let labelColumn = 2

  /// The column at which the text of a table begins.
  static let textColumn = 26

  /// Wraps words into lines, indents all but the first, and ends each with a newline.
  ///
  /// A word that is wider than a line isn't broken.
  func filled(_ start: String, _ words: [some StringProtocol], indent: Int) -> String {
    var text = start
    var column = start.count
    var isFirst = true
    for word in words {
      if isFirst {
        isFirst = false
      } else if column + 1 + word.count > width {
        text += "\n" + spaces(indent)
        column = indent
      } else {
        text += " "
        column += 1
      }
      text += word
      column += word.count
    }
    return text + "\n"
  }

  /// Wraps paragraphs; lines that begin with a space aren't wrapped.
  func paragraphs(_ text: String) -> String {
    var result = ""
    var words: [Substring] = []
    func flush() {
      if !words.isEmpty { result += filled("", words, indent: 0) }
      words = []
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty || line.hasPrefix(" ") {
        flush()
        result += line + "\n"
      } else {
        words += line.split(separator: " ")
      }
    }
    flush()
    return result
  }

  /// Returns a table of labels and texts; a wide label gets its own line.
  func table(_ rows: [(label: String, text: String)]) -> String {
    rows.reduce(into: "") { result, row in
      var start = spaces(Self.labelColumn) + row.label
      if start.count >= Self.textColumn, !row.text.isEmpty {
        result += start + "\n"
        start = ""
      }
      if !row.text.isEmpty { start += spaces(Self.textColumn - start.count) }
      result += filled(start, row.text.split(separator: " "), indent: Self.textColumn)
    }
  }

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
