import PlanWriting
import SafeText
import StoreModel
import Migrations
import StoreProof

extension DiffOutcome {
  func lines(_ style: Style) -> [String] {
    head(style) + section("", entityRows, rightAligned: [1, 2, 3, 4, 5], style) + restLines
      + section("Changed", propertyRows, rightAligned: [1], style)
      + section(
        "Properties without a counterpart of the same type", unpairedRows, rightAligned: [1, 2],
        style)
      + section("Links", linkRows, rightAligned: [1, 2, 3, 4], style)
      + shownRows(style) + warnings.section(style) + [""] + conclusion(style)
  }

  private func head(_ style: Style) -> [String] {
    let rows = [("A", difference.a), ("B", difference.b)].map { name, side -> [Cell] in
      [Cell(name), Cell(side.path), Cell(side.standing)]
    }
    return Columns(rows: rows, indent: 0).lines(style) + pairingLines
  }

  /// How rows are paired, if not all are by primary key.
  private var pairingLines: [String] {
    let paired = difference.entities.filter { $0.name.a != nil && $0.name.b != nil }
    let names = paired.map { $0.pairedBy?.name ?? "primary key" }
    if attributes.isEmpty { return [] }
    let parts = Set(names).sorted().map { name in
      "by \(name) in \(names.count { $0 == name }.counted("entity", "entities"))"
    }
    return ["", "Rows are paired \(parts.joined(separator: ", ")).".printable]
  }

  private func section(
    _ title: String, _ rows: [[Cell]], rightAligned: Set<Int>, _ style: Style
  ) -> [String] {
    if rows.isEmpty { return [] }
    let lines = Columns(rows: rows, rightAligned: rightAligned).lines(style)
    return (title.isEmpty ? [""] : ["", title]) + lines
  }

  private var entityRows: [[Cell]] {
    difference.entities.filter { !$0.isEqual }.map { entity in
      [
        Cell(entity.name.title()),
        Cell("\(entity.rowsOnlyInA.grouped) only in A"),
        Cell("\(entity.rowsOnlyInB.grouped) only in B"),
        Cell("\(entity.rowsChanged.grouped) changed"),
        Cell(entity.cellsChanged.counted("cell")), Cell("\(entity.rowsEqual.grouped) equal"),
      ]
    }
  }

  private var restLines: [String] {
    let rest = difference.entities.filter { $0.isEqual && !$0.isEmpty }
    if difference.isEqual || rest.isEmpty { return [] }
    let rows = rest.reduce(0) { $0 + $1.rowsEqual }
    let others = rest.count.counted("other entity is equal", "other entities are equal")
    return ["", "  \(others): \(rows.counted("row"))."]
  }

  private var propertyRows: [[Cell]] {
    difference.entities.flatMap { entity in
      entity.properties.filter { $0.cellsChanged > 0 }.map { property in
        [
          Cell(property.name.title(of: entity.name)),
          Cell(property.cellsChanged.counted("cell")),
        ]
      }
    }
  }

  private var unpairedRows: [[Cell]] {
    difference.entities.filter { !$0.isEmpty }.flatMap { entity in
      entity.unpaired.map { property in
        [
          Cell(property.name.title(of: entity.name)),
          Cell(property.name.a == nil ? "" : "\(property.valuesInA.counted("value")) in A"),
          Cell(property.name.b == nil ? "" : "\(property.valuesInB.counted("value")) in B"),
        ]
      }
    }
  }

  private var linkRows: [[Cell]] {
    difference.relationships.filter { !$0.isEqual }.map { relationship in
      [
        Cell(relationship.name.title()),
        Cell("\(relationship.linksOnlyInA.grouped) only in A"),
        Cell("\(relationship.linksOnlyInB.grouped) only in B"),
        Cell("\(relationship.linksChanged.grouped) changed"),
        Cell("\(relationship.linksEqual.grouped) equal"),
      ]
    }
  }

  private func conclusion(_ style: Style) -> [String] {
    let equal = difference.entities.reduce(0) { $0 + $1.rowsEqual }
    if difference.isEqual {
      let links = difference.relationships.reduce(0) { $0 + $1.linksEqual }
      let more = links == 0 ? "" : " and \(links.counted("link"))"
      return [style(.good, "Equal:") + " \(equal.counted("row"))\(more), with all values."]
    }
    let words =
      [
        "diff", difference.a.path.shellPath, difference.b.path.shellPath,
      ] + attributes.flatMap { ["--by", $0.shellWord] } + ["--json-lines"]
    return [
      style(.changed, "Different:") + " \(sums.joined(separator: ", ")); "
        + "\(equal.counted("row is", "rows are")) equal.",
      "To list each row, without values:  \(style.command(words))",
    ]
  }

  /// The differences, counted by kind.
  private var sums: [String] {
    let entities = difference.entities
    func sum(_ count: (EntityDifference) -> Int64) -> Int64 {
      entities.reduce(0) { $0 + count($1) }
    }
    let links = difference.relationships.reduce(0) {
      $0 + $1.linksOnlyInA + $1.linksOnlyInB + $1.linksChanged
    }
    let unpaired = unpairedRows.count
    let (onlyInA, onlyInB) = (sum(\.rowsOnlyInA), sum(\.rowsOnlyInB))
    let changed =
      "\(sum(\.rowsChanged).counted("row")) changed in \(sum(\.cellsChanged).counted("cell"))"
    let parts = [
      (onlyInA, "\(onlyInA.counted("row")) only in A"),
      (onlyInB, "\(onlyInB.counted("row")) only in B"),
      (sum(\.rowsChanged), changed),
      (links, links.counted("link")),
      (
        Int64(unpaired),
        unpaired.counted("property", "properties") + " without a counterpart of the same type"
      ),
    ]
    return parts.filter { $0.0 > 0 }.map(\.1)
  }
}

extension StoreDifference.Side {
  fileprivate var standing: String {
    (version.map { $0.title + ", " } ?? "") + recognition.match.rawValue
  }
}

extension PairedName {
  /// Returns the name, followed by the other store's name if it differs.
  fileprivate func title(of entity: PairedName? = nil) -> String {
    let prefix = entity.map { ((a == nil ? $0.b : $0.a) ?? $0.name) + "." } ?? ""
    return prefix + name + (newName.map { " -> " + $0 } ?? "")
  }
}
