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

  /// The columns of numbers: what stands before the first space ends at the same place.
  var rightAligned: Set<Int> = []

  /// The spaces before the first column and between columns.
  var indent = 2
  var gap = 3

  /// The lines, without spaces at their ends.
  func lines(_ style: Style) -> [String] {
    let rows = rows.map { Array($0.prefix(($0.lastIndex { !$0.text.isEmpty } ?? -1) + 1)) }
    let columns = (0..<(rows.map(\.count).max() ?? 0)).map { place in
      Column(
        cells: rows.compactMap { place < $0.count ? $0[place] : nil },
        isOfNumbers: rightAligned.contains(place))
    }
    return rows.map { row in
      let cells = zip(row, columns).enumerated().map { place, pair in
        pair.1.padded(pair.0, isLast: place == row.count - 1, style)
      }
      return cells.isEmpty
        ? "" : spaces(indent) + cells.joined(separator: spaces(gap))
    }
  }
}

/// One column's measures.
private struct Column {
  let numberWidth: Int
  let width: Int

  init(cells: [Cell], isOfNumbers: Bool) {
    let number = isOfNumbers ? cells.map(\.numberWidth).max() ?? 0 : 0
    numberWidth = number
    width =
      cells.map { max(0, number - $0.numberWidth) + $0.text.count }
      .max() ?? 0
  }

  func padded(_ cell: Cell, isLast: Bool, _ style: Style) -> String {
    let before = max(0, numberWidth - cell.numberWidth)
    let after = isLast ? 0 : width - before - cell.text.count
    return spaces(before) + style(cell.tone, cell.text) + spaces(after)
  }
}

extension Cell {
  fileprivate var numberWidth: Int { text.prefix { $0 != " " }.count }
}

private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
