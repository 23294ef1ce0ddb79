package import StoreFormat
package import StoreModel

extension Recognition {
  /// Returns the version that a store's migration starts at.
  package func startingVersion(
    for request: MigrationRequest, of store: StoreDescription, typed typedPath: String
  ) throws(VersionError) -> ModelVersion {
    if !unsupported.isEmpty { throw .unsupported(typedPath, reasons: unsupported) }
    return try presentVersion(for: request, of: store, typed: typedPath)
  }

  /// Returns the version that a store is at, even if no migration supports all of its features.
  package func presentVersion(
    for request: MigrationRequest, of store: StoreDescription, typed typedPath: String
  ) throws(VersionError) -> ModelVersion {
    guard store.cachedModel != nil, store.metadata != nil else {
      let isTarget =
        store.metadata?.hashes.map { request.schema.map(ModelVersion.init)?.has($0) == true }
        ?? false
      throw .noModel(
        typedPath,
        reasons: store.problems
          + (isTarget ? ["the model after '--to' is the one that the store has already"] : []))
    }
    switch (match, version) {
    case (.exact, let version?): return version
    case (.torn, _): throw .torn(typedPath, findings: disagreements)
    default: break
    }
    // With a target schema, the source may be unknown: the store's own model is enough.
    if let schema = request.schema, let model = store.cachedModel {
      return ModelVersion(unknown: model, migratingTo: schema)
    }
    if match == .partial, let version { throw .partial(typedPath, version: version.name) }
    throw .unknown(typedPath, summary: summary)
  }
}

extension ModelVersion {
  /// Creates the version of a store at no known version.
  ///
  /// Its name is the model's version identifier; if the target has that name, it is "unnamed".
  ///
  /// - Parameters:
  ///   - model: The store's model.
  ///   - target: The model that the store is migrated to, which gives the app's name.
  package init(unknown model: Model, migratingTo target: SchemaFile) {
    let names = model.versionIdentifiers + [Self.unnamed, Self.unnamed + "-source"]
    let name = names.first { !$0.isEmpty && $0 != target.version }
    self.init(SchemaFile(app: target.app, version: name ?? Self.unnamed, model: model))
  }
}

extension Recognition {
  /// A short description of a store at no known version.
  package var summary: String {
    if let abandoned {
      return "it is \(abandoned.app) \(abandoned.name), an abandoned edition: \(abandoned.note)"
    }
    guard let version else { return "it resembles no known version" }
    let distance = counted(differences.count, "difference", "differences")
    return isNewer
      ? "it is newer than any known version of \(version.app)"
      : "nearest is \(version.app) \(version.name), with \(distance)"
  }
}
