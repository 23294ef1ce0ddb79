import SQLite
import StoreModel
import TestSupport

/// The values of a store by entity, key and property, read by the slow layout.
struct CarriedValues {
  let layout: ReferenceLayout

  /// The values by the path of the property, a link's key by its name.
  private(set) var rows: [String: [Int64: [[String]: Value]]] = [:]

  /// The pairs of keys by entity and many-to-many relationship.
  private(set) var links: [[String]: Set<[Int64]>] = [:]

  init(_ path: String, _ model: Model) throws {
    layout = ReferenceLayout(model)
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    for entity in layout.names {
      let owners = layout.ancestry(entity)
      let cells = (layout.cells[owners.last ?? ""] ?? []).filter {
        owners.contains($0.owner) && $0.role != .entity
      }
      let list = (["Z_PK", "Z_OPT"] + cells.map(\.name)).joined(separator: ", ")
      rows[entity] = [:]
      for row in try connection.rows(
        """
        SELECT \(list) FROM \(layout.table(entity)) WHERE Z_ENT = \(layout.number(entity))
        """)
      {
        var values = [["Z_OPT"]: row[1]]
        for (cell, value) in zip(cells, row.dropFirst(2)) {
          switch cell.role {
          case .place: values[["place"] + cell.property] = value
          case .holder: values[["holder"] + cell.property] = value
          default: values[cell.property] = value
          }
        }
        rows[entity]?[row[0].int64 ?? 0] = values
      }
    }
    let tables = Set(
      try connection.rows("SELECT name FROM sqlite_schema").compactMap { $0[0].string })
    for join in layout.joins(in: tables) {
      let list = join.columns.prefix(2).joined(separator: ", ")
      let pairs = try connection.rows("SELECT \(list) FROM \(join.table)").map {
        $0.compactMap(\.int64)
      }
      links[[join.entities[1], join.links[1]]] = Set(pairs.map { $0.reversed() })
      links[[join.entities[0], join.links[0]]] = Set(pairs)
    }
  }

  /// Returns the differences from an older store that no step explains, without values.
  func losses(from old: CarriedValues) -> [String] {
    layout.names.flatMap { name -> [String] in
      let source = former(layout.model[name]?.renamingIdentifier, name) {
        old.layout.model[$0] != nil
      }
      let (mine, theirs) = (rows[name] ?? [:], old.rows[source ?? ""] ?? [:])
      if Set(mine.keys) != Set(theirs.keys) { return ["other rows of \(name)"] }
      guard let source else { return [] }
      return mine.flatMap { key, values in
        losses(name, values, from: theirs[key] ?? [:], of: source, in: old).map {
          "\($0) of \(key)"
        }
      } + lostLinks(of: name, source, in: old)
    }
  }

  private func former(_ identifier: String?, _ name: String, _ exists: (String) -> Bool) -> String?
  {
    [identifier ?? name, name].first(where: exists)
  }

  private func losses(
    _ name: String, _ values: [[String]: Value], from old: [[String]: Value], of source: String,
    in store: CarriedValues
  ) -> [String] {
    values.compactMap { path, value in
      guard let property = property(path[0], of: name, in: layout) else {
        // A key or a place that a relationship of another entity keeps here.
        guard let former = formerLink(path, in: store) else { return nil }
        return value == old[former] || value.isNull ? nil : "\(name).\(path)"
      }
      let identifier =
        switch property {
        case .attribute(let attribute): attribute.renamingIdentifier
        case .relationship(let link): link.renamingIdentifier
        case .fetched: String?.none
        }
      let before = former(identifier, path[0]) {
        self.property($0, of: source, in: store.layout) != nil
      }
      guard let before else { return nil }
      // An enum's part has the name of its attribute.
      let part = path.count == 2 && path[1] == path[0] ? [before] : Array(path.dropFirst())
      let found = old[[before] + part] ?? old[[before] + path.dropFirst()]
      if found == value { return nil }
      if found?.isNull == true, case .attribute(let attribute) = property, !attribute.isOptional {
        return nil
      }
      if value.isNull, case .relationship = property { return nil }
      return "\(name).\(path)"
    }
  }

  /// Returns what the relationship at the beginning of a path and its entity were called.
  private func formerLink(_ path: [String], in old: CarriedValues) -> [String]? {
    guard path.count == 3 else { return path }
    let source = former(layout.model[path[2]]?.renamingIdentifier, path[2]) {
      old.layout.model[$0] != nil
    }
    guard let source, case .relationship(let link) = layout.model[path[2]]?[path[1]],
      let name = former(link.renamingIdentifier, path[1], { old.layout.model[source]?[$0] != nil })
    else { return nil }
    return [path[0], name, source]
  }

  private func property(
    _ name: String, of entity: String, in layout: ReferenceLayout
  ) -> Property? {
    layout.ancestry(entity).compactMap { layout.model[$0]?[name] }.first
  }

  private func lostLinks(
    of name: String, _ source: String, in old: CarriedValues
  ) -> [String] {
    (layout.model[name]?.relationships ?? []).compactMap { link in
      guard let mine = links[[name, link.name]],
        let theirs = old.links[[source, link.renamingIdentifier ?? link.name]]
      else { return nil }
      return mine == theirs ? nil : "\(name).\(link.name): other links"
    }
  }
}
