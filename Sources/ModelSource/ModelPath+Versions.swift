extension ModelPath {
  /// Returns the paths of all versions in a folder of versions, or this path of one model.
  ///
  /// - Returns: The paths, ordered by name; a folder with one version has its own.
  /// - Throws: A ``ModelSourceError`` if the folder can't be read, or has no version.
  package func versions() throws(ModelSourceError) -> [ModelPath] {
    guard version == nil, let bundle = try bundle(), bundle.names.count > 1 else { return [self] }
    return bundle.names.map { ModelPath(in: self, version: $0.stem) }
  }

  /// The folder of versions at the path; `nil` for one model.
  private func bundle() throws(ModelSourceError) -> ModelBundle? {
    switch kind {
    case .sourceBundle: try ModelBundle(sourceAt: path)
    case .compiledBundle: try ModelBundle(compiledAt: path)
    case .schema, .source, .compiled, .optimized: nil
    }
  }
}
