extension Model {
  /// Returns, for each entity of this model, the one of another model that Core Data maps to it.
  ///
  /// It has the same name, or else the same renaming identifier.
  ///
  /// - Parameter source: The model that the rows have now, older or newer.
  /// - Returns: Names in the source, by names in this model; without new entities.
  package func origins(in source: Model) -> [String: String] {
    CanonicalName.origins(
      of: entities.map { CanonicalName(name: $0.name, identifier: $0.renamingIdentifier) },
      in: source.entities.map { CanonicalName(name: $0.name, identifier: $0.renamingIdentifier) })
  }
}

extension Entity {
  /// Returns, for each stored property, the one of an entity's other version that Core Data maps to it.
  ///
  /// It has the same name, or else the same renaming identifier.
  ///
  /// - Parameter source: The entity in the model that the rows have now, older or newer.
  /// - Returns: Names in the source, by names in this entity; without new properties.
  package func origins(in source: Entity) -> [String: String] {
    CanonicalName.origins(of: canonicalNames, in: source.canonicalNames)
  }

  private var canonicalNames: [CanonicalName] {
    properties.filter { !$0.isTransient }.map {
      CanonicalName(name: $0.name, identifier: $0.renamingIdentifier)
    }
  }
}

/// A name in a model, with the renaming identifier that stays the same when the name changes.
///
/// Apple calls the identifier a "canonical name": it is the name before the first change, and it
/// may stay when the name changes again. Many models state the name just before instead.
/// Source: "Migrating your data model automatically", Apple's documentation of Core Data.
private struct CanonicalName {
  let name: String

  /// The renaming identifier; `nil` if it is the name itself.
  let identifier: String?

  /// Returns the former name of each new name that has one; each is that of one new name only.
  static func origins(of new: [CanonicalName], in old: [CanonicalName]) -> [String: String] {
    let names = Set(new.map(\.name))
    var origins: [String: String] = [:]
    var free: Set<String> = []
    var identified: [String: [String]] = [:]
    for former in old {
      if names.contains(former.name) {
        origins[former.name] = former.name
        continue
      }
      free.insert(former.name)
      if let identifier = former.identifier {
        identified[identifier, default: []].append(former.name)
      }
    }
    // A stated name comes before a canonical one, which several versions may share.
    let ways: [(CanonicalName) -> [String]?] = [
      { $0.identifier.map { [$0] } }, { $0.identifier.flatMap { identified[$0] } },
      { identified[$0.name] },
    ]
    for way in ways {
      for renamed in new where origins[renamed.name] == nil {
        guard let former = way(renamed)?.first(where: free.contains) else { continue }
        free.remove(former)
        origins[renamed.name] = former
      }
    }
    return origins
  }
}
