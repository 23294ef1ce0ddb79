import SafeText
import StoreMigration
package import StoreProof

extension PlanExample {
  /// The row's entity and key.
  var row: String { "\(entity)/\(key)" }

  /// The values before, and the values after.
  var beforeText: String { before.map(\.text).joined(separator: ", ") }
  var afterText: String { after.map(\.text).joined(separator: ", ") }

  /// A row of a table: row, values before, values after, kind.
  var cells: [Cell] {
    [Cell(row), Cell(beforeText), Cell("-> " + afterText), Cell(kind)]
  }
}

extension PlanExample.Part {
  fileprivate var text: String { "\(attribute) \(fingerprint.text)" }
}

extension ValueFingerprint {
  /// The value if it may be shown (at most 60 characters), else its fingerprint in angle brackets.
  package var text: String {
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
