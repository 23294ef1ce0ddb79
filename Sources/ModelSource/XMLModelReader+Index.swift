import XMLText
import StoreModel

extension XMLModelReader {
  /// Returns the fetch indexes of an entity; those that no schema can represent are noted.
  mutating func fetchIndexes(
    of element: XMLElement, _ entity: String
  ) throws(ModelSourceError) -> [FetchIndex] {
    var indexes: [FetchIndex] = []
    for index in element.children where index.name == "fetchIndex" {
      noteUnknown(index, XMLNames.fetchIndex)
      let name = try name(index)
      let parts = index.children.filter { $0.name == "fetchIndexElement" }
      let isPartial = index["partialIndexPredicate"].map { !$0.isEmpty } ?? false
      let obstacle: String? =
        if indexes.contains(where: { $0.name == name }) {
          "has the name of another one"
        } else if isPartial {
          "has a predicate"
        } else if parts.isEmpty {
          "has no elements"
        } else if parts.contains(where: { $0["property"] == nil }) {
          "has an expression"
        } else {
          nil
        }
      if let obstacle {
        note(index, "the index '\(name)' of '\(entity)' \(obstacle), and is ignored")
        continue
      }
      let elements = try parts.map { part throws(ModelSourceError) in try indexElement(part) }
      let read = FetchIndex(name: name, elements: elements)
      if read.isSpatial {
        note(
          index, "the index '\(name)' of '\(entity)' is an R-tree; no migration leads to this model"
        )
      }
      indexes.append(read)
    }
    return indexes
  }

  private func indexElement(
    _ element: XMLElement
  ) throws(ModelSourceError) -> FetchIndex.Element {
    let (type, order) = (element["type"] ?? "Binary", element["order"] ?? "ascending")
    guard ["binary", "rtree"].contains(type.lowercased()) else {
      throw error(element, "'type' is '\(type)'; expected Binary or RTree")
    }
    guard ["ascending", "descending"].contains(order.lowercased()) else {
      throw error(element, "'order' is '\(order)'; expected ascending or descending")
    }
    return FetchIndex.Element(
      propertyName: element["property"] ?? "", isAscending: order.lowercased() == "ascending",
      collationType: type.lowercased() == "rtree" ? 1 : 0)
  }

  /// Throws an error if an index or a uniqueness constraint of an entity has an unknown property.
  mutating func checkLists(
    _ entity: Entity, _ element: XMLElement, in model: Model
  ) throws(ModelSourceError) {
    let properties = model.properties(of: entity.name)
    let known = properties.map(\.name)
    let toMany = Set(properties.filter(\.isToMany).map(\.name))
    for child in element.children {
      let parts: [(XMLElement, String?)]
      let place: String
      switch child.name {
      case "fetchIndex":
        parts = child.children.map { ($0, $0["property"]) }
        place = "the index '\(child["name"] ?? "")'"
      case "uniquenessConstraints", "compoundIndexes":
        parts = child.children.flatMap(\.children).map { ($0, $0["value"]) }
        place = child.name == "compoundIndexes" ? "a compound index" : "a uniqueness constraint"
      default: continue
      }
      for case (let part, let name?) in parts {
        guard known.contains(name.propertyName) else {
          throw error(
            part, unknown("property", name, among: known) + " in \(place) of '\(entity.name)'")
        }
        guard toMany.contains(name) else { continue }
        note(
          part,
          "'\(name)' in \(place) of '\(entity.name)' is to-many; a migration makes the index "
            + "without it")
      }
    }
  }
}

extension Property {
  fileprivate var isToMany: Bool {
    if case .relationship(let relationship) = self { relationship.isToMany } else { false }
  }
}

extension String {
  /// The property in a key path, which names an element of a composite.
  fileprivate var propertyName: String { String(prefix { $0 != "." }) }
}
