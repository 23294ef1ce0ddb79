package import Migrations

/// A table that is folded away under a summary, and may be cut.
struct MarkdownFold: Hashable, Sendable {
  /// What stands where the table is folded.
  let summary: String

  /// The titles of the columns; those of numbers end at the right.
  let titles: [String]
  let numbers: Set<Int>

  /// The lines of the table, each a row.
  let rows: [String]

  init(_ summary: String, titles: [String], numbers: Set<Int> = [], rows: [[String]]) {
    self.summary = summary
    self.titles = titles
    self.numbers = numbers
    self.rows = rows.map(Markdown.row)
  }

  /// The lines with the first rows, and a note on those that are left out.
  func lines(_ count: Int) -> [String] {
    let rule = titles.indices.map { numbers.contains($0) ? "---:" : "---" }
    let left = rows.count - count
    let note = left > 0 ? ["", "_… and \(left.grouped) more, cut to fit into a comment._"] : []
    return ["", "<details><summary>\(summary)</summary>", "", Markdown.row(titles)]
      + [Markdown.row(rule)] + rows.prefix(count) + note + ["", "</details>"]
  }

  /// The most bytes that the lines take beside the rows.
  var frameSize: Int { lines(0).size }

  /// Returns how many rows fit.
  func rows(within budget: Int) -> Int {
    var rest = budget
    return rows.prefix { row in
      rest -= row.utf8.count + 1
      return rest >= 0
    }.count
  }
}

extension [String] {
  /// The bytes that the lines take, with their breaks.
  var size: Int { reduce(0) { $0 + $1.utf8.count + 1 } }
}
