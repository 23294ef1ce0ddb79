package import StoreModel

extension SchemaFile {
  /// Reads the models at several paths, and unites them as `NSManagedObjectModel(byMerging:)` does.
  ///
  /// - Parameter models: The paths, at least one.
  /// - Throws: A ``ModelSourceError`` if a model can't be read, or if two models have different
  ///   entities of one name.
  package init(uniting models: [ModelPath]) throws(ModelSourceError) {
    precondition(!models.isEmpty, "there is a model to read")
    var united = try SchemaFile(at: models[0])
    for path in models.dropFirst() {
      united = try united.united(with: try SchemaFile(at: path), models[0], path)
    }
    self = united
  }

  private func united(
    with other: SchemaFile, _ first: ModelPath, _ path: ModelPath
  ) throws(ModelSourceError) -> SchemaFile {
    for entity in other.model.entities {
      guard let known = model[entity.name], known != entity else { continue }
      throw .ambiguous(
        "'\(origin?.path ?? first.text)' and '\(path.text)' have different entities '\(entity.name)'; Core Data "
          + "merges only equal ones")
    }
    let added = other.model.entities.filter { model[$0.name] == nil }
    var merged = Model(
      entities: model.entities + added,
      versionIdentifiers: Array(
        Set(model.versionIdentifiers).union(other.model.versionIdentifiers)),
      configurations: model.configurations.merging(other.model.configurations) { one, other in
        Array(Set(one).union(other))
      },
      dialect: model.dialect)
    let recorded = model.recordedHashes.merging(other.model.recordedHashes) { one, _ in one }
    merged.record(VersionHashes(entities: recorded))
    return SchemaFile(
      app: app, version: version == other.version ? version : "\(version)+\(other.version)",
      model: merged,
      origin: ModelOrigin(
        path: "\(origin?.path ?? first.text) + \(path.text)",
        notes: (origin?.notes ?? []) + (other.origin?.notes ?? [])))
  }
}
