import StoreModel

/// A collapsible table of a comment, truncated if it doesn't fit.
package struct MarkdownFold: Hashable, Sendable {
  /// The text of the collapsed table.
  package let summary: String

  /// The titles of the columns.
  package let titles: [String]

  /// The indices of right-aligned columns.
  package let numbers: Set<Int>

  /// The rows, each a line of Markdown.
  package let rows: [String]

  package init(_ summary: String, titles: [String], numbers: Set<Int> = [], rows: [[String]]) {
    self.summary = summary
    self.titles = titles
    self.numbers = numbers
    self.rows = rows.map(Markdown.row)
  }

  /// Returns the table with its first rows, and a note about the others.
  package func lines(_ count: Int) -> [String] {
    let rule = titles.indices.map { numbers.contains($0) ? "---:" : "---" }
    let left = rows.count - count
    let note =
      left > 0 ? ["", "_… and \(left.grouped) more, omitted: a comment's size is limited._"] : []
    return ["", "<details><summary>\(summary)</summary>", "", Markdown.row(titles)]
      + [Markdown.row(rule)] + rows.prefix(count) + note + ["", "</details>"]
  }

  /// The maximum number of bytes without the rows.
  package var frameSize: Int { lines(0).size }

  /// Returns the number of rows that fit into a number of bytes.
  package func rows(within budget: Int) -> Int {
    var rest = budget
    return rows.prefix { row in
      rest -= row.utf8.count + 1
      return rest >= 0
    }.count
  }
}

extension [String] {
  /// The number of bytes of the lines, with newlines.
  package var size: Int { reduce(0) { $0 + $1.utf8.count + 1 } }
}
