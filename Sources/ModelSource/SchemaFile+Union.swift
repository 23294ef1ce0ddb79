package import StoreModel

extension SchemaFile {
  /// Unites models as `NSManagedObjectModel(byMerging:)` does.
  ///
  /// - Parameters:
  ///   - other: The model to add.
  ///   - first: The path of this model.
  ///   - path: The path of the other one.
  /// - Returns: The schema of both.
  /// - Throws: A ``ModelSourceError`` if the models have different entities of one name.
  package func united(
    with other: SchemaFile, _ first: String, _ path: String
  ) throws(ModelSourceError) -> SchemaFile {
    for entity in other.model.entities {
      guard let known = model[entity.name], known != entity else { continue }
      throw .ambiguous(
        "'\(origin?.path ?? first)' and '\(path)' have different entities '\(entity.name)'; Core "
          + "Data merges only equal ones")
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
        path: "\(origin?.path ?? first) + \(path)",
        notes: (origin?.notes ?? []) + (other.origin?.notes ?? [])))
  }
}
