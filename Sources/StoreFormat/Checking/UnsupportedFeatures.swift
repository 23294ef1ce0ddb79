import StoreModel

extension StoreDescription {
  /// The features of the store that no migration supports, in words.
  ///
  /// See `StoreFormat.md` §16, point 13.
  ///
  /// - Complexity: O(*n*) in the number of tables, each of which is created once in memory.
  package var unsupportedFeatures: [String] {
    var reasons: [String] = []
    if textEncoding != "UTF-8" { reasons.append("its text encoding is \(textEncoding)") }
    if let name = strangeTriggers.map(\.name).first ?? views.first {
      reasons.append("it has triggers or views ('\(name)')")
    }
    if let table = tables.first(where: \.isVirtual) {
      reasons.append("table '\(table.name)' is virtual")
    }
    if let table = tables.first(where: { $0.columns.contains(where: \.isGenerated) }) {
      reasons.append("table '\(table.name)' has a generated column")
    }
    if let name = undecodable.first {
      reasons.append("a name in the schema of '\(name)' isn't UTF-8")
    } else if let name = unmakeable.first {
      reasons.append("the statement that creates '\(name)' can't run in another file")
    }
    return reasons + (cachedModel.map(Self.unsupported) ?? [])
  }

  /// The triggers that don't belong to a derived attribute of the model.
  ///
  /// Core Data names them `Z_DA_<TABLE>_<Entity>_<attribute>_SOURCE_<operation>` or `…_PARAMETER_…`.
  package var strangeTriggers: [TriggerDescription] {
    let attributes = cachedModel?.derivedAttributes ?? []
    return triggers.filter { trigger in
      !trigger.sql.hasPrefix("CREATE TRIGGER ") || !trigger.name.hasPrefix("Z_DA_")
        || !attributes.contains { derived in
          ["SOURCE", "PARAMETER"].contains {
            trigger.name.contains("_\(derived.entityName)_\(derived.attributeName)_\($0)_")
          }
        }
    }
  }

  private static func unsupported(in model: Model) -> [String] {
    let objectIDs = model.entities.flatMap { entity in
      entity.attributes.flatMap(\.leaves).map(\.attribute).filter {
        $0.type == .objectID && !$0.isTransient
      }
      .map { "'\(entity.name).\($0.name)' is an object ID" }
    }
    return model.unsupportedFeatures.filter { $0.kind != .derivedAttribute }.map(\.description)
      + objectIDs
  }
}
