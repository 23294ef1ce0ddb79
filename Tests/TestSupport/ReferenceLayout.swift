package import StoreModel

/// The tables of a model, derived slowly and obviously from `StoreFormat.md`, not from the source.
package struct ReferenceLayout {
  /// A column and where it stands.
  package struct Cell: Hashable {
    package let name: String
    package let type: String

    /// The kind by which columns are grouped, in the order of §5.3.
    package let kind: Kind

    package let role: Role

    /// The entity whose rows have a value in the column.
    package let owner: String

    /// The attribute and a composite's parts, or the relationship, and its entity without inverse.
    package let property: [String]
  }

  package enum Kind: Int {
    // No store shows whether UUIDs and URIs are of one kind.
    case fixed, integer, ordering, real, decimal, text, uuidOrURI, transformable, binary
  }

  /// What a column holds: a value, a key, the entity of that key, the key of a holder, or a place.
  package enum Role { case value, key, entity, holder, place }

  package let model: Model

  /// The entities in the order of their numbers, which begin with 1.
  package let names: [String]

  /// The columns of each root's table, by the root's name, in order.
  package private(set) var cells: [String: [Cell]] = [:]

  package init(_ model: Model) {
    self.model = model
    // §4: without regard to case, depth first.
    func below(_ parent: String?) -> [String] {
      model.entities.filter { $0.superentityName == parent }.map(\.name)
        .sorted { $0.lowercased() < $1.lowercased() }.flatMap { [$0] + below($0) }
    }
    names = below(nil)
    for root in roots { cells[root] = columns(of: root) }
  }

  package var roots: [String] { names.filter { model[$0]?.superentityName == nil } }

  package func number(_ entity: String) -> Int { (names.firstIndex(of: entity) ?? -1) + 1 }

  package func superNumber(_ entity: String) -> Int {
    model[entity]?.superentityName.map(number) ?? 0
  }

  /// Returns an entity and the entities below it, by number.
  package func tree(_ entity: String) -> [String] {
    names.filter { ancestry($0).contains(entity) }
  }

  /// Returns an entity and the entities above it.
  package func ancestry(_ entity: String) -> [String] {
    [entity] + (model[entity]?.superentityName.map(ancestry) ?? [])
  }

  package func table(_ entity: String) -> String {
    "Z" + (ancestry(entity).last ?? "").uppercased()
  }

  /// Returns the relationship's inverse and the entity that declares it.
  package func inverse(_ relationship: Relationship) -> (entity: String, Relationship)? {
    for name in ancestry(relationship.destinationName) {
      for other in model[name]?.relationships ?? [] where other.name == relationship.inverseName {
        return (name, other)
      }
    }
    return nil
  }

  /// Returns the columns of an attribute or a to-one relationship, also of an inherited one.
  package func cells(of property: String, in entity: String) -> [Cell] {
    let owners = ancestry(entity)
    return (cells[owners.last ?? ""] ?? []).filter {
      owners.contains($0.owner) && $0.property.first == property
        && [.value, .key].contains($0.role)
    }
  }

  // MARK: - Columns

  private func columns(of root: String) -> [Cell] {
    var found = tree(root).flatMap(columns(ofEntity:)) + tree(root).flatMap(orderings)
    // §5.4: before the columns are grouped.
    var counts: [String: Int] = [:]
    for place in found.indices {
      let cell = found[place]
      let count = counts[cell.name, default: 0]
      counts[cell.name] = count + 1
      if count > 0 {
        found[place] = Cell(
          name: "\(cell.name)\(count)", type: cell.type, kind: cell.kind, role: cell.role,
          owner: cell.owner, property: cell.property)
      }
    }
    let fixed = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"].map { text in
      let words = text.split(separator: " ", maxSplits: 1).map(String.init)
      return Cell(
        name: words[0], type: words[1], kind: .fixed, role: .value, owner: "", property: [])
    }
    return fixed
      + (1...Kind.binary.rawValue).flatMap { kind in found.filter { $0.kind.rawValue == kind } }
  }

  private func columns(ofEntity name: String) -> [Cell] {
    guard let entity = model[name] else { return [] }
    var found: [Cell] = []
    for attribute in entity.attributes.sorted(by: { $0.name < $1.name }) {
      found += columns(of: attribute, [attribute.name], name)
    }
    let links = entity.relationships.sorted { $0.name < $1.name }
    for link in links where link.maxCount == 1 && !link.isTransient {
      let (upper, number) = (link.name.uppercased(), number(link.destinationName))
      found.append(key("Z" + upper, .key, name, [link.name]))
      if tree(link.destinationName).count > 1 {
        found.append(key("Z\(number)_\(upper)", .entity, name, [link.name]))
      }
    }
    // §6.3: a to-many without inverse is in the destination's table.
    for source in names {
      for link in model[source]?.relationships ?? []
      where link.destinationName == name && isLoose(link) {
        found.append(
          key("Z\(number(source))\(link.name.uppercased())", .holder, name, [link.name, source]))
      }
    }
    return found
  }

  private func isLoose(_ link: Relationship) -> Bool {
    link.maxCount != 1 && !link.isTransient && inverse(link) == nil
  }

  private func key(_ name: String, _ role: Role, _ owner: String, _ property: [String]) -> Cell {
    Cell(
      name: name, type: "INTEGER", kind: .integer, role: role, owner: owner, property: property)
  }

  private func columns(of attribute: Attribute, _ path: [String], _ owner: String) -> [Cell] {
    if attribute.isTransient { return [] }
    if attribute.type == .composite {
      return attribute.elements.flatMap { columns(of: $0, path + [$0.name], owner) }
    }
    let (type, kind): (String, Kind)
    switch attribute.type {
    case .integer16, .integer32, .integer64, .boolean: (type, kind) = ("INTEGER", .integer)
    case .double, .float: (type, kind) = ("FLOAT", .real)
    case .date: (type, kind) = ("TIMESTAMP", .real)
    case .decimal: (type, kind) = ("DECIMAL", .decimal)
    case .string: (type, kind) = ("VARCHAR", .text)
    case .uuid: (type, kind) = ("BLOB", .uuidOrURI)
    case .uri: (type, kind) = ("VARCHAR", .uuidOrURI)
    case .transformable: (type, kind) = ("BLOB", .transformable)
    case .binary: (type, kind) = ("BLOB", .binary)
    case .undefined, .objectID, .composite, .codable: return []
    }
    return [
      Cell(
        name: "Z" + attribute.name.uppercased(), type: type, kind: kind, role: .value,
        owner: owner, property: path)
    ]
  }

  /// Returns the ordering columns (§6.5) of an entity: they stand where the links are stored.
  private func orderings(of entity: String) -> [Cell] {
    var found: [Cell] = []
    for source in names {
      for link in model[source]?.relationships ?? [] where link.isOrdered && link.maxCount != 1 {
        let name: String
        if let (owner, back) = inverse(link) {
          guard owner == entity, back.maxCount == 1 else { continue }
          name = "Z_FOK_" + back.name.uppercased()
        } else {
          guard link.destinationName == entity else { continue }
          name = "Z_FOK_\(number(source))\(link.name.uppercased())"
        }
        found.append(
          Cell(
            name: name, type: "INTEGER", kind: .ordering, role: .place, owner: entity,
            property: [link.name, source]))
      }
    }
    return found
  }
}
