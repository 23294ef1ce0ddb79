/// The tables of `Documentation/Architecture.md`: what a target imports and does, and the order of its folders.
struct Drawing {
  struct Target {
    let name: String
    let imports: Set<String>
    let sentence: String
  }

  /// The targets, from the program down.
  private(set) var targets: [Target] = []

  /// The folders of each target that has any, each before those that use it; `.` is what lies in none.
  private(set) var folders: [String: [String]] = [:]

  init(_ text: String) {
    var columns: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("|") else {
        columns = []
        continue
      }
      let cells = line.split(separator: "|").map { $0.trimming(" ") }
      if columns.isEmpty {
        columns = cells
      } else if !cells.allSatisfy({ $0.allSatisfy { $0 == "-" } }) {
        read(cells, columns)
      }
    }
  }

  private mutating func read(_ cells: [String], _ columns: [String]) {
    guard cells.count == columns.count, columns[0] == "target" else { return }
    let name = Self.names(cells[0]).first ?? ""
    if columns.contains("imports"), cells.count == 3 {
      targets.append(
        Target(name: name, imports: Set(Self.names(cells[1])), sentence: cells[2]))
    } else if columns.contains(where: { $0.hasPrefix("folders") }) {
      folders[name] = Self.names(cells[1])
    }
  }

  /// The names in a cell, which commas or signs divide.
  private static func names(_ cell: String) -> [String] {
    cell.split { $0 == "," || $0 == " " || $0 == "`" || $0 == "–" || $0 == "→" || $0 == "*" }
      .map(String.init)
  }
}

extension Substring {
  fileprivate func trimming(_ character: Character) -> String {
    let start = drop { $0 == character }
    guard let end = start.lastIndex(where: { $0 != character }) else { return "" }
    return String(start[...end])
  }
}
