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
    let hashes = ShownHashes(model)
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
    var rows = [[Cell(name), Cell(kind), Cell(notes.joined(separator: ", "))]]
    guard case .attribute(let attribute) = self, attribute.type == .composite else { return rows }
    rows += attribute.leaves.map { leaf in
      [
        Cell(leaf.cellName), Cell(leaf.attribute.type.name),
        Cell(leaf.attribute.notes.joined(separator: ", ")),
      ]
    }
    return rows
  }

  private var notes: [String] {
    switch self {
    case .attribute(let attribute): attribute.notes
    case .relationship(let relationship): relationship.notes
    case .fetched: []
    }
  }
}

extension Attribute {
  fileprivate var notes: [String] {
    [
      isOptional ? "optional" : nil, isTransient ? "transient" : nil,
      isReadOnly ? "read-only" : nil, isDerived ? "derived" : nil,
      allowsExternalStorage ? "external storage" : nil,
      isPreservedAfterDeletion ? "preserved after deletion" : nil,
      versionHashModifier.map { "hash modifier \($0)" },
      defaultValue.map { "default \($0.json.text())" },
    ].compactMap(\.self)
  }
}

extension Relationship {
  fileprivate var notes: [String] {
    [
      isOptional ? "optional" : nil, isTransient ? "transient" : nil, isOrdered ? "ordered" : nil,
      minCount == 0 ? nil : "min \(minCount)", maxCount < 2 ? nil : "max \(maxCount)",
      inverseName.map { "inverse \($0)" },
      deleteRule == .nullify ? nil : "delete \(deleteRule)",
      versionHashModifier.map { "hash modifier \($0)" },
    ].compactMap(\.self)
  }
}
