extension Model {
  /// Returns the former name of each entity that another model has, too.
  ///
  /// It is the same name, or else one that the renaming identifiers tell.
  ///
  /// - Parameter source: The model that the rows have now, older or newer.
  /// - Returns: Names in the source, by names in this model; without new entities.
  package func origins(in source: Model) -> [String: String] {
    CanonicalName.origins(
      of: entities.map { CanonicalName(name: $0.name, identifier: $0.renamingIdentifier) },
      in: source.entities.map { CanonicalName(name: $0.name, identifier: $0.renamingIdentifier) })
  }

  /// Returns whether an entity has its rows from another model, or one of the models has no entity.
  ///
  /// - Parameter other: The model that the rows have now.
  /// - Returns: `false` if the models are probably those of two apps.
  package func hasEntities(of other: Model) -> Bool {
    entities.isEmpty || other.entities.isEmpty || !origins(in: other).isEmpty
  }
}

extension Entity {
  /// Returns the former name of each stored property that another version of the entity has, too.
  ///
  /// It is the same name, or else one that the renaming identifiers tell. A property that moved to
  /// a super-entity or from there has none.
  ///
  /// - Parameter source: The entity in the model that the rows have now, older or newer.
  /// - Returns: Names in the source, by names in this entity; without new properties.
  package func origins(in source: Entity) -> [String: String] {
    CanonicalName.origins(of: canonicalNames, in: source.canonicalNames)
  }

  private var canonicalNames: [CanonicalName] {
    properties.filter(\.isStored).map {
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
  ///
  /// Equal names come first. Then the new names' statements, the identifiers that both share, and
  /// the old names' statements. Where two names state the same, neither
  /// counts: nothing is guessed.
  ///
  /// - Complexity: O(*n*) in the number of names.
  static func origins(of new: [CanonicalName], in old: [CanonicalName]) -> [String: String] {
    let former = Set(old.map(\.name))
    let kept = former.intersection(new.map(\.name))
    var origins = Dictionary(kept.map { ($0, $0) }, uniquingKeysWith: { first, _ in first })
    var (added, dropped) = (
      new.filter { !kept.contains($0.name) }, old.filter { !kept.contains($0.name) }
    )
    typealias Key = (CanonicalName) -> String?
    let ways: [(new: Key, old: Key)] = [
      (\.identifier, \.name), (\.identifier, \.identifier), (\.name, \.identifier),
    ]
    for way in ways {
      let (ours, theirs) = (unique(added, by: way.new), unique(dropped, by: way.old))
      for (key, name) in ours { origins[name] = theirs[key] }
      let taken = Set(origins.values)
      added.removeAll { origins[$0.name] != nil }
      dropped.removeAll { taken.contains($0.name) }
    }
    return origins
  }

  /// Returns the names by what they state; without those that state the same as another one.
  private static func unique(
    _ names: [CanonicalName], by key: (CanonicalName) -> String?
  ) -> [String: String] {
    var stating: [String: [String]] = [:]
    for name in names {
      if let text = key(name) { stating[text, default: []].append(name.name) }
    }
    return stating.compactMapValues { $0.count == 1 ? $0[0] : nil }
  }
}
