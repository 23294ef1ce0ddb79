import InputFiles
import SafeText
import JSONText
import StoreModel
import StoreProof

extension SchemaFile {
  /// Returns the entities with their properties and hashes.
  func lines(_ style: Style) -> [String] {
    let identifiers = model.versionIdentifiers.joined(separator: ", ")
    let head = Columns(
      rows: [
        [
          Cell("\(app) \(version)"),
          Cell(model.entities.count.counted("entity", "entities")),
          Cell(identifiers.isEmpty ? "" : "identifiers \(identifiers)"),
        ]
      ], indent: 0)
    let hashes = KnownHashes(model)
    let sums = Columns(
      rows: [
        [Cell("digest"), Cell(hashes.digest ?? "unknown")],
        [Cell("checksum"), Cell(hashes.checksum ?? "unknown")],
      ], indent: 0)
    return head.lines(style) + sums.lines(style)
      + model.entities.flatMap { entity in
        [""] + entity.lines(style)
          + ["  hash " + hashes.line(of: entity.name).printable]
      }
  }
}

extension Entity {
  fileprivate func lines(_ style: Style) -> [String] {
    let parent = superentityName.map { " : \($0)" } ?? ""
    let title = (isAbstract ? "abstract " : "") + name + parent
    let unique = uniquenessConstraints.map { "  unique " + $0.joined(separator: ", ").printable }
    let modifier = versionHashModifier.map { ["  hash modifier " + $0.printable] } ?? []
    return [style(.strong, title.printable)]
      + Columns(rows: properties.flatMap(\.rows)).lines(style) + unique + modifier
  }
}

extension Property {
  /// The row of the property, and those of a composite's elements.
  fileprivate var rows: [[Cell]] {
    var rows = [[Cell(name), Cell(kind), Cell(traits.joined(separator: ", "))]]
    guard case .attribute(let attribute) = self, attribute.type == .composite else { return rows }
    rows += attribute.leaves.map { leaf in
      [
        Cell(leaf.cellName), Cell(leaf.attribute.type.name),
        Cell(leaf.attribute.traits.joined(separator: ", ")),
      ]
    }
    return rows
  }
}
