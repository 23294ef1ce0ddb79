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

  /// The place of the first `ModelConfiguration` that asks for CloudKit, or `nil`.
  let cloudKitCall: SwiftPlace?

  /// The version identifier of a schema without `VersionedSchema`.
  private static let defaultIdentifier = "1.0.0"

  package init(_ files: [SwiftFile]) {
    table = TypeTable(files)
    versions = table.versions()
    plans = table.plans()
    cloudKitCall =
      files.lazy.flatMap { file in
        file.calls.filter(\.asksForCloudKit).map {
          SwiftPlace(file: file.path, position: $0.position)
        }
      }.first
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
      model: model.model,
      findings: (more + findings + model.findings).sorted { $0.place < $1.place },
      places: model.places, computedDefaults: model.computedDefaults)
  }
}

extension SwiftAttribute {
  /// Whether a call of `ModelConfiguration` names a database of CloudKit.
  fileprivate var asksForCloudKit: Bool {
    guard let database = arguments["cloudKitDatabase"] else { return false }
    return !database.text.hasSuffix("none")
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
    case .doubleClasses(let names):
      "several classes have one name: \(names.joined(separator: ", ")); give '--models' with those "
        + "of one schema, or a folder with fewer files"
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
      guard let newest = versions.last else { return (nil, try modelOfAll()) }
      let families = families
      let rivals = versions.filter { $0.numbers == newest.numbers }
      let candidates = families.count > 1 ? families.compactMap(\.last) : rivals
      guard candidates.count == 1 else {
        // Versions of one name are told apart by their places.
        let isUnique = Set(candidates.map(\.name)).count == candidates.count
        throw .several(candidates.map { isUnique ? $0.name : "\($0.name) at \($0.place)" })
      }
      return (newest, model(of: newest))
    }
  }

  private func modelOfAll() throws(SourceError) -> SourceModel {
    let classes = modelTypes.map { table.types[$0] }
    guard !classes.isEmpty else { throw .noModel }
    let doubles = Dictionary(grouping: classes, by: \.name).values.filter { $0.count > 1 }
    guard doubles.isEmpty else {
      throw .doubleClasses(
        doubles.flatMap { $0.map { "'\($0.qualifiedName)' at \($0.place)" } }.sorted())
    }
    return try model(ofClasses: nil)
  }

  /// The versions in groups that have an entity or a migration plan in common.
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
    return families.map(\.versions)
  }
}
