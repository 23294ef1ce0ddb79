/// Text filled into lines of a width.
struct Layout {
  /// The width of a line in columns.
  let width: Int

  /// The column where the labels of a table begin.
  static let labelColumn = 2

  /// The column where the text of a table begins.
  static let textColumn = 26

  /// Fills words into lines, the later ones indented, each line ended by a newline.
  ///
  /// A word that is wider than a line gets a line of its own and stays whole.
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

  /// Fills paragraphs, which blank lines separate; lines that begin with a space are kept as is.
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

  /// Labels on the left, their text on the right; a wide label gets a line of its own.
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
