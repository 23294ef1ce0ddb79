package import StoreFormat
import StoreModel

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
    switch (match, version) {
    case (.exact, let version?): return version
    case (.torn, _) where store.cachedModel == nil || store.metadata == nil:
      throw .noModel(typedPath, reasons: store.problems)
    case (.torn, _): throw .torn(typedPath, findings: disagreements)
    default: break
    }
    // With a target schema, the source may be unknown: the store's own model is enough.
    if let schema = request.schema, let model = store.cachedModel {
      let names =
        model.versionIdentifiers + [ModelVersion.unnamed, ModelVersion.unnamed + "-source"]
      let name = names.first { !$0.isEmpty && $0 != schema.version }
      return ModelVersion(
        SchemaFile(app: schema.app, version: name ?? ModelVersion.unnamed, model: model))
    }
    if match == .partial, let version { throw .partial(typedPath, version: version.name) }
    throw .unknown(typedPath, summary: summary)
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
