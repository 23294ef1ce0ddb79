package import StoreModel

/// A store that an app shipped, for comparison with the versions in its source.
package struct ShippedStore: Sendable {
  /// The path, as typed.
  package let path: String

  /// The store's model.
  package let model: Model

  package init(path: String, model: Model) {
    self.path = path
    self.model = model
  }
}

extension SwiftSource {
  /// Finds mistakes in the versions and migration plans of an app.
  ///
  /// - Parameter stores: Stores that the app shipped; each must match a version.
  /// - Returns: The findings, in the order of the source.
  /// - Throws: A ``SourceError`` if there is no model in the source.
  package func lint(stores: [ShippedStore]) throws(SourceError) -> [SourceFinding] {
    let lint = try SourceLint(self)
    let findings =
      lint.modelFindings + lint.versionFindings + lint.planFindings + lint.storeFindings(stores)
      + lint.cloudKitFindings
    return Array(Set(findings)).sorted { ($0.place, $0.message) < ($1.place, $1.message) }
  }
}

/// The checks of an app's source.
struct SourceLint {
  let source: SwiftSource

  /// Each version with its model, in the order of the identifiers.
  let versions: [(version: SourceVersion, model: SourceModel)]

  /// The newest model of each family of versions, or that of all classes.
  private let newest: [SourceModel]

  init(_ source: SwiftSource) throws(SourceError) {
    self.source = source
    versions = source.versions.map { ($0, source.model(of: $0)) }
    let last = Set(source.families.compactMap { $0.last?.name })
    let models = versions.filter { last.contains($0.version.name) }.map(\.model)
    newest = try models.isEmpty ? [source.model(.newest).model] : models
  }

  /// What isn't known about the models, and names that contradict each other.
  var modelFindings: [SourceFinding] {
    let models = versions.isEmpty ? newest : versions.map(\.model)
    return models.flatMap(\.findings).filter { $0.severity == .error }
      + models.flatMap { renamings(in: $0) }
  }

  /// Former names that another property of the class has, too.
  private func renamings(in model: SourceModel) -> [SourceFinding] {
    model.model.entities.flatMap { entity -> [SourceFinding] in
      let names = Set(model.model.properties(of: entity.name).map(\.name))
      var known: [String: String] = [:]
      let placed = entity.properties.compactMap { property in
        model.places["\(entity.name).\(property.name)"].map { (property, place: $0) }
      }
      return placed.sorted { $0.place < $1.place }.compactMap { property, place in
        guard let former = property.renamingIdentifier, former != property.name else { return nil }
        let other = names.contains(former) ? former : known[former]
        known[former] = property.name
        guard let other else { return nil }
        return SourceFinding(
          .error, .originalName, at: place, "\(entity.name).\(property.name)",
          other == former
            ? "the 'originalName' of '\(property.name)' is the name of another property, whose "
              + "values it would get" : "'\(property.name)' and '\(other)' have one 'originalName'")
      }
    }
  }
}

// MARK: - Versions

extension SourceLint {
  var versionFindings: [SourceFinding] {
    var findings = versions.flatMap { liveClasses(of: $0.version) }
    for (position, (version, model)) in versions.enumerated() {
      for (other, otherModel) in versions[..<position] {
        if version.identifier != nil, version.identifier == other.identifier {
          findings.append(
            SourceFinding(
              .error, .sameIdentifier, at: version.place, version.name,
              "'\(version.name)' and '\(other.name)' have one 'versionIdentifier', "
                + "\(version.identifier ?? "")"))
        }
        guard model.isKnown, otherModel.isKnown,
          VersionHashes(model.model) == VersionHashes(otherModel.model)
        else { continue }
        findings.append(
          SourceFinding(
            .error, .sameChecksum, at: version.place, version.name,
            "'\(version.name)' and '\(other.name)' have one checksum: SwiftData can't tell their "
              + "stores apart, and refuses the migration plan"))
      }
    }
    return findings
  }

  /// Classes that a version lists and that aren't declared in a version.
  ///
  /// In the newest version of an app they are only worth a note.
  private func liveClasses(of version: SourceVersion) -> [SourceFinding] {
    let table = source.table
    let frozen = Set(source.versions.map(\.index))
    let isNewest = source.families.contains { $0.last?.name == version.name }
    return version.classes.filter { index in
      var around = table.types[index].parent
      while let scope = around, !frozen.contains(scope) { around = table.types[scope].parent }
      return around == nil
    }.map { index in
      let name = table.types[index].qualifiedName
      return SourceFinding(
        isNewest ? .note : .error, .liveClass, at: version.place, version.name,
        "'\(version.name)' lists '\(name)', which isn't declared in a version: when the class "
          + "changes, so does this version, and stores of it no longer match")
    }
  }

  func storeFindings(_ stores: [ShippedStore]) -> [SourceFinding] {
    guard let first = versions.first else { return [] }
    return stores.compactMap { store in
      let hashes = VersionHashes(store.model)
      guard !versions.contains(where: { VersionHashes($0.model.model) == hashes }) else {
        return nil
      }
      let named = versions.first {
        $0.version.identifier.map { store.model.versionIdentifiers.contains($0) } == true
      }
      let version = named ?? first
      let own = VersionHashes(version.model.model).entities
      let differing = Set(own.keys).union(hashes.entities.keys)
        .filter { own[$0] != hashes.entities[$0] }.sorted()
      let names = differing.map { "'\($0)'" }.joined(separator: ", ")
      return SourceFinding(
        .error, .storeContradicts,
        at: named == nil
          ? version.version.place
          : version.model.places[differing.first ?? ""] ?? version.version.place,
        version.version.name,
        named == nil
          ? "no version has the model of the store '\(store.path)'"
          : "the store '\(store.path)' has the identifier of '\(version.version.name)', and other "
            + "models of \(names): the version was changed after it shipped")
    }
  }

  /// What CloudKit doesn't allow, if a `ModelConfiguration` asks for it.
  var cloudKitFindings: [SourceFinding] {
    guard let call = source.cloudKitCall else { return [] }
    return newest.flatMap { model in
      model.model.cloudKitViolations.compactMap { violation -> SourceFinding? in
        if violation.rule == .mandatory, model.computedDefaults.contains(violation.object) {
          return nil
        }
        let object = violation.object.split(separator: "+").first.map(String.init)
        let entity = violation.object.split(separator: ".").first.map(String.init)
        return SourceFinding(
          .error, SourceRule(violation.rule),
          at: object.flatMap { model.places[$0] } ?? entity.flatMap { model.places[$0] } ?? call,
          violation.object,
          "'\(violation.object)': \(violation.rule.consequence) (asked for at \(call))")
      }
    }
  }
}
