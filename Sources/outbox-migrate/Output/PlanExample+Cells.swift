import StoreMigration
package import Migrations
package import RowRewriting

extension PlanExample {
  /// The row: entity and key.
  var row: String { "\(entity)/\(key)" }

  /// What is read, and what is made of it.
  var beforeText: String { before.map(\.text).joined(separator: ", ") }
  var afterText: String { after.map(\.text).joined(separator: ", ") }

  /// A line of a table: row, what is read, what is made of it, kind.
  var cells: [Cell] {
    [Cell(row), Cell(beforeText), Cell("-> " + afterText), Cell(kind)]
  }
}

extension PlanExample.Part {
  fileprivate var text: String { "\(attribute) \(mark.text)" }
}

extension ValueMark {
  /// The mark in angle brackets, or the value where it may be shown: at most 60 characters of it.
  var text: String {
    switch revealed {
    case .integer(let number): return String(number)
    case .real(let number): return number.description
    case .text(let text):
      let beginning = text.prefix(60)
      return beginning.count < text.count ? "'\(beginning)…'" : "'\(text)'"
    case nil: return kind == .null ? "null" : "<\(description)>"
    }
  }
}
