import JSONText
package import SourceDeclarations

/// The SwiftData declarations of an app's source files.
package struct SwiftSource: Sendable {
  /// The versions, in the order of their identifiers.
  package let versions: [SourceVersion]

  /// The migration plans, in the order of the source.
  package let plans: [SourcePlan]

  /// The syntax errors in files, and the classes that conditions leave out.
  package let findings: [SourceFinding]

  let table: TypeTable

  /// The errors in the lists of versions, because of which a version may seem unrelated.
  package var errorsOfVersions: [SourceFinding] {
    versions.flatMap(\.findings).filter { $0.severity == .error }
  }

  /// The place of the first `ModelConfiguration` that asks for CloudKit, or `nil`.
  let cloudKitCall: SwiftPlace?

  /// The version identifier of a schema without `VersionedSchema`.
  private static let defaultIdentifier = "1.0.0"

  /// The lists of classes in calls; `nil` for one that isn't known.
  let containers: [ContainerList?]

  package init(_ files: [SwiftFile]) {
    table = TypeTable(files)
    versions = table.versions()
    plans = table.plans()
    containers = table.containerLists(in: files)
    cloudKitCall =
      files.lazy.flatMap { file in
        file.calls.filter(\.asksForCloudKit).map {
          SwiftPlace(file: file.path, position: $0.position)
        }
      }.first
    findings = files.flatMap(\.findings)
  }

  /// The names of all classes with `@Model`, in the order of the source.
  package var modelClasses: [String] { modelTypes.map { table.types[$0].qualifiedName } }

  var modelTypes: [SourceType.Index] {
    table.types.indices.filter {
      table.types[$0].declaration.kind == .class && table.types[$0].has("Model")
    }
  }

  /// Returns the model of a version.
  package func model(of version: SourceVersion) -> SourceModel {
    model(of: version.classes, [version.identifier].compactMap(\.self), version.findings)
  }

  /// Returns the model of the classes with names.
  ///
  /// - Throws: A ``SourceError`` if there is no class with a name.
  package func model(ofClasses names: [String]) throws(SourceError) -> SourceModel {
    var indices: [SourceType.Index] = []
    for name in names {
      guard case .declared(let index) = table.followed(table.find(name, from: nil, file: "")),
        table.types[index].has("Model")
      else {
        throw .unknownName(name, nearest: nearestName(to: name, among: modelClasses))
      }
      indices.append(index)
    }
    return model(of: indices, [Self.defaultIdentifier], [])
  }

  private func model(
    of classes: [SourceType.Index], _ identifiers: [String], _ more: [SourceFinding]
  ) -> SourceModel {
    let model = ModelBuilding(classes, in: table).model(identifiers: identifiers)
    return SourceModel(
      model: model.model,
      findings: (more + findings + model.findings).sorted { $0.place < $1.place },
      places: model.places, computedDefaults: model.computedDefaults)
  }

  /// Returns the model of the classes that calls list, or of all if there isn't one list.
  func modelOfAll() throws(SourceError) -> SourceModel {
    let all = modelTypes
    let handWritten = table.types.indices.filter { table.isHandWritten($0) }
    guard let first = all.first ?? handWritten.first else { throw .noModel }
    var classes = all
    var notes: [SourceFinding] = []
    var identifier = Self.defaultIdentifier
    let lists = Set(containers.map { $0.map { Set($0.classes) } })
    if lists.count == 1, let list = containers.first ?? nil {
      classes = list.classes
      let identifiers = Set(containers.compactMap { $0?.identifier })
      if let only = identifiers.first, identifiers.count == 1 { identifier = only }
      if Set(classes) != Set(all) {
        notes.append(
          SourceFinding(
            .note, .related, at: list.place, nil,
            "without a 'VersionedSchema', the model has the classes that '\(list.call)' lists"))
      }
    } else {
      notes += handWritten.map { table.types[$0] }.map {
        SourceFinding(
          .error, .unknownType, at: $0.place, $0.name,
          "'\($0.name)' conforms to 'PersistentModel' without '@Model', so its schema isn't known")
      }
      if all.count > 1 {
        notes.append(
          SourceFinding(
            .note, .related, at: table.types[first].place, nil,
            "without a 'VersionedSchema' and one list of classes, the model has all "
              + "\(all.count) classes with '@Model'; 'schema capture --models' chooses others"))
      }
    }
    let doubles = Dictionary(grouping: classes.map { table.types[$0] }, by: \.name).values
      .filter { $0.count > 1 }
    guard doubles.isEmpty else {
      throw .doubleClasses(
        doubles.flatMap { $0.map { "'\($0.qualifiedName)' at \($0.place)" } }.sorted())
    }
    return model(of: classes, [identifier], notes)
  }
}

extension SwiftFile {
  /// The syntax error, and the classes that conditions leave out.
  fileprivate var findings: [SourceFinding] {
    let error = syntaxError.map {
      SourceFinding(
        .error, .syntax, at: SwiftPlace(file: path, position: $0.position), nil,
        "syntax error: \($0.message)")
    }
    return [error].compactMap(\.self)
      + declarations.leftOut.map { declaration, condition in
        SourceFinding(
          condition.isKnown ? .note : .unproven, .condition,
          at: SwiftPlace(file: path, position: declaration.position), declaration.name,
          "'#if \(condition.text)' leaves out the class '\(declaration.name)', as for an iOS app built "
            + "for release" + condition.doubt)
      }
  }
}

extension SwiftAttribute {
  /// Whether a call of `ModelConfiguration` names a database of CloudKit.
  fileprivate var asksForCloudKit: Bool {
    guard name == "ModelConfiguration", let database = arguments["cloudKitDatabase"] else {
      return false
    }
    return !database.text.hasSuffix("none")
  }
}
