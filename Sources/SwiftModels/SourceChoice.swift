import JSONText

/// Which model of an app's source is meant.
package enum SourceChoice: Hashable, Sendable {
  /// The newest version; all classes if there is no version.
  case newest

  /// The version with a type name.
  case version(String)

  /// The classes with names.
  case classes([String])
}

/// Why no model of an app's source can be chosen.
package enum SourceError: Error, Hashable, Sendable {
  /// There is neither a version nor a class with `@Model`.
  case noModel

  /// There is no such version or class.
  case unknownName(String, nearest: String?)

  /// Several versions could be meant.
  case several([String])

  /// The newest of several versions isn't known, because identifiers aren't literals.
  case unknownIdentifiers([String])

  /// Several classes have one name.
  case doubleClasses([String])
}

extension SourceError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noModel: "there is no class with '@Model' in these sources; check the path"
    case .unknownName(let name, let nearest):
      "there is no '\(name)' in these sources"
        + (nearest.map { "; did you mean '\($0)'?" } ?? "; check the name")
    case .several(let names):
      "several schemas are in these sources; give '--version-type' with one of "
        + names.map { "'\($0)'" }.joined(separator: ", ")
    case .unknownIdentifiers(let names):
      "which version is the newest isn't known, because no migration plan ends with one, and the "
        + "'versionIdentifier' isn't a literal of \(names.joined(separator: ", ")); give "
        + "'--version-type'"
    case .doubleClasses(let names):
      "several classes have one name: \(names.joined(separator: ", ")); give a folder with fewer "
        + "files, or write a schema file of one schema's classes with 'schema capture --models'"
    }
  }
}

extension SwiftSource {
  /// Returns the model that is meant, and the name of its version if it has one.
  ///
  /// The newest version is the last one of the migration plan, or else that with the highest
  /// identifier. Versions of several families aren't compared.
  ///
  /// - Throws: A ``SourceError`` if nothing or several could be meant.
  package func model(
    _ choice: SourceChoice
  ) throws(SourceError) -> (version: SourceVersion?, model: SourceModel) {
    switch choice {
    case .classes(let names): return (nil, try model(ofClasses: names))
    case .version(let name):
      let found = versions.filter { $0.name == name || $0.name.hasSuffix("." + name) }
      guard let first = found.first else {
        throw .unknownName(name, nearest: nearestName(to: name, among: versions.map(\.name)))
      }
      guard found.count == 1 else { throw .several(found.map(\.name)) }
      return (first, model(of: first))
    case .newest:
      guard !versions.isEmpty else { return (nil, try modelOfAll()) }
      let newest = try newestVersion()
      return (newest, model(of: newest))
    }
  }

  private func newestVersion() throws(SourceError) -> SourceVersion {
    let families = families
    var candidates = families.compactMap(\.last)
    if let family = families.first, families.count == 1, let last = family.last,
      planned(family) == nil
    {
      let unknown = family.filter { $0.identifier == nil }
      guard unknown.isEmpty || family.count == 1 else {
        throw .unknownIdentifiers(unknown.map { "'\($0.name)' at \($0.place)" })
      }
      candidates = family.filter { $0.numbers == last.numbers }
    }
    guard candidates.count == 1, let newest = candidates.first else {
      // Versions of one name are told apart by their places.
      let isUnique = Set(candidates.map(\.name)).count == candidates.count
      throw .several(candidates.map { isUnique ? $0.name : "\($0.name) at \($0.place)" })
    }
    return newest
  }

  /// Returns the last version of a family's only migration plan.
  ///
  /// - Returns: The version, or `nil` if a version outside the plan may be newer.
  private func planned(_ family: [SourceVersion]) -> SourceVersion? {
    let plans = plans.filter { plan in family.contains { plan.versions.contains($0.name) } }
    guard plans.count == 1, plans[0].isComplete,
      let last = family.last(where: { $0.name == plans[0].versions.last })
    else { return nil }
    let others = family.filter { !plans[0].versions.contains($0.name) }
    let isNewest = others.allSatisfy {
      $0.identifier != nil && last.identifier != nil
        && $0.numbers.lexicographicallyPrecedes(last.numbers)
    }
    return isNewest ? last : nil
  }

  /// The versions in groups that have an entity or a migration plan in common, the newest last.
  var families: [[SourceVersion]] {
    var families: [(versions: [SourceVersion], marks: Set<String>)] = []
    for version in versions {
      var marks = Set(version.classes.map { "class " + table.types[$0].name })
      marks.formUnion(plans.filter { $0.versions.contains(version.name) }.map { "plan " + $0.name })
      var joined = [version]
      families.removeAll { family in
        guard !family.marks.isDisjoint(with: marks) else { return false }
        joined = family.versions + joined
        marks.formUnion(family.marks)
        return true
      }
      families.append((joined.sorted { $0.numbers.lexicographicallyPrecedes($1.numbers) }, marks))
    }
    return families.map { family in
      guard let newest = planned(family.versions) else { return family.versions }
      return family.versions.filter { $0 != newest } + [newest]
    }
  }
}
