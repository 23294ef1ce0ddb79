package import JSONText

extension EntityDifference {
  /// An entity in the document of `diff`.
  package var json: JSONValue {
    .object(
      name.members + [
        .init("in", name.location), .init("paired_by", JSONValue(pairedBy?.name)),
        .init("rows_only_in_a", .int(rowsOnlyInA)), .init("rows_only_in_b", .int(rowsOnlyInB)),
        .init("rows_changed", .int(rowsChanged)), .init("rows_equal", .int(rowsEqual)),
        .init("cells_changed", .int(cellsChanged)),
        .init("properties", JSONValue(properties.filter(\.isWorthNaming)) { $0.json }),
        .init("unpaired", JSONValue(unpaired) { $0.json }),
      ])
  }
}

extension EntityDifference.PairedProperty {
  /// A Boolean value indicating whether the names differ or a cell does.
  fileprivate var isWorthNaming: Bool { cellsChanged > 0 || name.newName != nil }

  fileprivate var json: JSONValue {
    .object(name.members + [.init("cells_changed", .int(cellsChanged))])
  }
}

extension EntityDifference.UnpairedProperty {
  fileprivate var json: JSONValue {
    .object(
      name.members + [
        .init("in", name.location),
        .init("values_in_a", .int(valuesInA)), .init("values_in_b", .int(valuesInB)),
      ])
  }
}

extension RelationshipDifference {
  /// A relationship in the document of `diff`.
  package var json: JSONValue {
    .object(
      name.members + [
        .init("in", name.location),
        .init("links_only_in_a", .int(linksOnlyInA)), .init("links_only_in_b", .int(linksOnlyInB)),
        .init("links_changed", .int(linksChanged)), .init("links_equal", .int(linksEqual)),
      ])
  }
}
