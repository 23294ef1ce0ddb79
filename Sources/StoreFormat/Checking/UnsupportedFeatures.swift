import StoreModel

extension StoreDescription {
  /// What the store has that no migration of this library carries, in words.
  ///
  /// See `StoreFormat.md` §16, point 13.
  public var unsupportedFeatures: [String] {
    var reasons: [String] = []
    let mirroring = tables.map(\.name).filter { $0.hasPrefix("ANSCK") }
    if !mirroring.isEmpty {
      reasons.append("it mirrors to CloudKit (table '\(mirroring[0])')")
    }
    if !triggersAndViews.isEmpty {
      reasons.append("it has triggers or views ('\(triggersAndViews[0])')")
    }
    if let table = tables.first(where: { $0.columns.contains(where: \.isGenerated) }) {
      reasons.append("table '\(table.name)' has a generated column")
    }
    return reasons + (cachedModel.map(Self.unsupported) ?? [])
  }

  private static func unsupported(in model: Model) -> [String] {
    model.entities.flatMap { entity in
      entity.attributes.flatMap(\.leaves).compactMap { attribute in
        switch attribute.type {
        case .codable: "'\(entity.name).\(attribute.name)' is Codable (type 2200)"
        case .objectID: "'\(entity.name).\(attribute.name)' is an object ID"
        default: nil
        }
      }
    }
  }
}
