import PlanWriting
import SafeText
import StoreProof

extension DiffOutcome {
  /// The first rows that differ: each with its values in A and in B, side by side.
  func shownRows(_ style: Style) -> [String] {
    let shown = rows.flatMap { difference -> [String] in
      guard case .row(let row) = difference else { return [] }
      let cells = row.cells.map { cell in
        [Cell(cell.name.name), Cell(cell.before.text), Cell(cell.after.text)]
      }
      return ["", row.title.printable]
        + Columns(rows: [["", "A", "B"]] + cells, indent: 2).lines(style)
    }
    guard rows.count == Self.rowLimit else { return shown }
    return shown + [
      "", "These are the first \(Self.rowLimit) differences; '--json-lines' lists all.",
    ]
  }
}

extension RowDifference {
  /// The row's name, and how it differs; a row with another key in B has moved.
  fileprivate var title: String {
    let moved = keyInB.map { $0 != key } ?? false
    let place = moved ? " -> \(entity.newName ?? entity.name)/\(keyInB ?? key)" : ""
    let kind =
      switch kind {
      case .onlyInA: "only in A"
      case .onlyInB: "only in B"
      case .changed: moved ? "moved and changed" : "changed"
      }
    return "\(entity.name)/\(key)\(place): \(kind)"
  }
}

extension CellDifference.Content? {
  fileprivate var text: String {
    switch self {
    case .value(let fingerprint)?: fingerprint.text
    case .link(let entity, let key)?: "\(entity)/\(key)"
    case nil: ""
    }
  }
}
