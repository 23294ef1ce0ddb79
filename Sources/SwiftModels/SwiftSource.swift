import JSONText
package import SourceDeclarations

/// The SwiftData declarations of an app's source files.
package struct SwiftSource: Sendable {
  /// The versions, in the order of their identifiers.
  package let versions: [SourceVersion]

  /// The migration plans, in the order of the source.
  package let plans: [SourcePlan]

  /// The syntax errors in files.
  package let findings: [SourceFinding]

  let table: TypeTable

  /// The version identifier of a schema without `VersionedSchema`.
  private static let defaultIdentifier = "1.0.0"

  package init(_ files: [SwiftFile]) {
    table = TypeTable(files)
    versions = table.versions()
    plans = table.plans()
    findings = files.compactMap { file in
      file.syntaxError.map {
        SourceFinding(
          .error, .syntax, at: SwiftPlace(file: file.path, position: $0.position), nil,
          "syntax error: \($0.message)")
      }
    }
  }

  /// The names of all classes with `@Model`, in the order of the source.
  package var modelClasses: [String] { modelTypes.map { table.types[$0].qualifiedName } }

  private var modelTypes: [SourceType.Index] {
    table.types.indices.filter {
      table.types[$0].declaration.kind == .class && table.types[$0].has("Model")
    }
  }

  /// Returns the model of a version.
  package func model(of version: SourceVersion) -> SourceModel {
    model(of: version.classes, version.identifier, version.findings)
  }

  /// Returns the model of the classes with names, or of all.
  ///
  /// - Throws: A ``SourceError`` if there is no class with a name.
  package func model(ofClasses names: [String]?) throws(SourceError) -> SourceModel {
    guard let names else { return model(of: modelTypes, nil, []) }
    var indices: [SourceType.Index] = []
    for name in names {
      guard case .declared(let index) = table.followed(table.find(name, from: nil, file: "")),
        table.types[index].has("Model")
      else {
        throw .unknownName(name, nearest: nearestName(to: name, among: modelClasses))
      }
      indices.append(index)
    }
    return model(of: indices, nil, [])
  }

  private func model(
    of classes: [SourceType.Index], _ identifier: String?, _ more: [SourceFinding]
  ) -> SourceModel {
    let model = ModelBuilding(classes, in: table).model(
      identifier: identifier ?? Self.defaultIdentifier)
    return SourceModel(
      model: model.model, findings: (more + findings + model.findings).sorted { $0.place < $1.place },
      places: model.places, computedDefaults: model.computedDefaults)
  }
}

// MARK: - Choosing

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
    }
  }
}

extension SwiftSource {
  /// Returns the model that is meant, and the name of its version if it has one.
  ///
  /// The newest version is that with the highest identifier. Versions of several migration plans
  /// aren't compared.
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
      guard let newest = versions.last else {
        guard !modelClasses.isEmpty else { throw .noModel }
        return (nil, try model(ofClasses: nil))
      }
      let rivals = versions.filter { $0.numbers == newest.numbers }
      let planned = plans.compactMap { plan in versions.last { plan.versions.contains($0.name) } }
      let newestOfPlans = Set(planned.map(\.name))
      if newestOfPlans.count > 1 { throw .several(newestOfPlans.sorted()) }
      if rivals.count > 1 { throw .several(rivals.map(\.name)) }
      return (newest, model(of: newest))
    }
  }
}
