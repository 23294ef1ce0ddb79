/// One cell of a table.
package struct Cell: Hashable, Sendable {
  /// The text, with control characters escaped.
  package let text: String

  /// The meaning of the text, which determines its colour.
  package let tone: Style.Tone

  package init(_ text: String, _ tone: Style.Tone = .plain) {
    self.text = text.printable
    self.tone = tone
  }
}

extension Cell: ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) { self.init(value) }
}

/// Rows of cells, each column as wide as its widest cell.
package struct Columns: Hashable, Sendable {
  let rows: [[Cell]]

  /// The columns of numbers: their digits, up to the first space, are right-aligned.
  let rightAligned: Set<Int>

  /// The number of spaces before the first column.
  let indent: Int

  /// The number of spaces between columns.
  let gap: Int

  package init(rows: [[Cell]], rightAligned: Set<Int> = [], indent: Int = 2, gap: Int = 3) {
    self.rows = rows
    self.rightAligned = rightAligned
    self.indent = indent
    self.gap = gap
  }

  /// Returns the lines, without trailing spaces.
  ///
  /// The last cell of a row doesn't widen its column.
  package func lines(_ style: Style) -> [String] {
    let rows = rows.map(\.withoutEmptyEnd)
    let count = rows.map(\.count).max() ?? 0
    let columns = (0..<count).map { index -> ColumnWidths in
      ColumnWidths(at: index, of: rows, isOfNumbers: rightAligned.contains(index))
    }
    return rows.map { row -> String in
      var line = row.isEmpty ? "" : spaces(indent)
      for (index, cell) in row.enumerated() {
        let isLast = index == row.count - 1
        line += columns[index].padded(cell, isLast: isLast, style) + (isLast ? "" : spaces(gap))
      }
      return line
    }
  }
}

/// The widths of one column, in characters.
private struct ColumnWidths {
  let numberWidth: Int
  let width: Int

  init(at index: Int, of rows: [[Cell]], isOfNumbers: Bool) {
    let cells = rows.compactMap { index < $0.count ? $0[index] : nil }
    let number = isOfNumbers ? cells.map(\.numberWidth).max() ?? 0 : 0
    let padded = rows.compactMap { index < $0.count - 1 ? $0[index] : nil }
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
