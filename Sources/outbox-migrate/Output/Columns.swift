package import RowRewriting

/// One cell of a table.
struct Cell: Hashable, Sendable {
  /// The text; control characters are escaped.
  let text: String

  /// What the text means, for its colour.
  let tone: Style.Tone

  init(_ text: String, _ tone: Style.Tone = .plain) {
    self.text = text.printable
    self.tone = tone
  }
}

extension Cell: ExpressibleByStringInterpolation {
  init(stringLiteral value: String) { self.init(value) }
}

/// Rows of cells, each column as wide as its widest cell.
struct Columns: Hashable, Sendable {
  var rows: [[Cell]]

  /// The columns of numbers: what stands before the first space ends at the same place.
  var rightAligned: Set<Int> = []

  /// The spaces before the first column and between columns.
  var indent = 2
  var gap = 3

  /// The lines, without spaces at their ends.
  ///
  /// A cell at the end of its row may be as long as it likes; it makes no column wider.
  func lines(_ style: Style) -> [String] {
    let rows = rows.map(\.withoutEmptyEnd)
    let count = rows.map(\.count).max() ?? 0
    let columns = (0..<count).map { place -> Column in
      Column(at: place, of: rows, isOfNumbers: rightAligned.contains(place))
    }
    return rows.map { row -> String in
      var line = row.isEmpty ? "" : spaces(indent)
      for (place, cell) in row.enumerated() {
        let isLast = place == row.count - 1
        line += columns[place].padded(cell, isLast: isLast, style) + (isLast ? "" : spaces(gap))
      }
      return line
    }
  }
}

/// One column's measures.
private struct Column {
  let numberWidth: Int
  let width: Int

  init(at place: Int, of rows: [[Cell]], isOfNumbers: Bool) {
    let cells = rows.compactMap { place < $0.count ? $0[place] : nil }
    let number = isOfNumbers ? cells.map(\.numberWidth).max() ?? 0 : 0
    let padded = rows.compactMap { place < $0.count - 1 ? $0[place] : nil }
    numberWidth = number
    width = padded.map { max(0, number - $0.numberWidth) + $0.text.count }.max() ?? 0
  }

  func padded(_ cell: Cell, isLast: Bool, _ style: Style) -> String {
    let before = max(0, numberWidth - cell.numberWidth)
    let after = isLast ? 0 : width - before - cell.text.count
    return spaces(before) + style(cell.tone, cell.text) + spaces(after)
  }
}

extension [Cell] {
  fileprivate var withoutEmptyEnd: [Cell] {
    let last = lastIndex { !$0.text.isEmpty }
    return Array(self[..<(last.map { $0 + 1 } ?? 0)])
  }
}

extension Cell {
  fileprivate var numberWidth: Int { text.prefix { $0 != " " }.count }
}

private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
