import SafeText
import JSONText
import Platform
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
    let hashes = VersionHashes(model)
    let sums = Columns(
      rows: [
        [Cell("digest"), Cell(hashes.digest)], [Cell("checksum"), Cell(hashes.checksum)],
      ], indent: 0)
    return head.lines(style) + sums.lines(style)
      + model.entities.flatMap { entity in
        [""] + entity.lines(style)
          + ["  hash " + Hexadecimal.encode(hashes.entities[entity.name] ?? [])]
      }
  }
}

extension Entity {
  fileprivate func lines(_ style: Style) -> [String] {
    let parent = superentityName.map { " : \($0)" } ?? ""
    let title = (isAbstract ? "abstract " : "") + name + parent
    let unique = uniquenessConstraints.map { "  unique " + $0.joined(separator: ", ").printable }
    return [style(.strong, title.printable)]
      + Columns(rows: properties.map(\.cells)).lines(style) + unique
  }
}

extension Property {
  fileprivate var cells: [Cell] {
    [Cell(name), Cell(kind), Cell(notes.joined(separator: ", "))]
  }

  private var notes: [String] {
    switch self {
    case .attribute(let attribute):
      [
        attribute.isOptional ? "optional" : nil, attribute.isTransient ? "transient" : nil,
        attribute.allowsExternalStorage ? "external storage" : nil,
        attribute.defaultValue.map { "default \($0.json.text())" },
      ].compactMap(\.self)
    case .relationship(let relationship):
      [
        relationship.isOptional ? "optional" : nil, relationship.isOrdered ? "ordered" : nil,
        relationship.inverseName.map { "inverse \($0)" },
        relationship.deleteRule == .nullify ? nil : "delete \(relationship.deleteRule)",
      ].compactMap(\.self)
    case .fetched: []
    }
  }
}
