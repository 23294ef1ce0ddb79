/// One cell of a table.
struct Cell: Hashable, Sendable {
  let text: String
  let tone: Style.Tone

  init(_ text: String, _ tone: Style.Tone = .plain) {
    self.text = text
    self.tone = tone
  }
}

extension Cell: ExpressibleByStringInterpolation {
  init(stringLiteral value: String) { self.init(value) }
}

/// Rows of cells, each column as wide as its widest cell.
struct Columns: Hashable, Sendable {
  var rows: [[Cell]]

  /// The columns whose cells end at the same place, as numbers do.
  var rightAligned: Set<Int> = []

  /// The spaces before the first column and between columns.
  var indent = 2
  var gap = 3

  /// The lines, without spaces at their ends.
  func lines(_ style: Style) -> [String] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { column < $0.count ? $0[column].text.count : 0 }.max() ?? 0
    }
    return rows.map { row in
      // What is empty at the end of a row takes no room.
      let last = row.lastIndex { !$0.text.isEmpty } ?? -1
      let cells = row.prefix(last + 1).enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.text.count)
        let text = style(cell.tone, cell.text)
        if rightAligned.contains(column) { return padding + text }
        return column == last ? text : text + padding
      }
      guard !cells.isEmpty else { return "" }
      return String(repeating: " ", count: indent)
        + cells.joined(separator: String(repeating: " ", count: gap))
    }
  }
}
