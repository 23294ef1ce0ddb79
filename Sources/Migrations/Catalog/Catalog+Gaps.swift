extension Catalog {
  /// Returns a sentence about what keeps stores at a version from newer ones.
  ///
  /// - Parameter version: The newest version that migrations lead to.
  /// - Returns: The sentence, without a final period; `nil` if there is nothing newer.
  package func sentence(onGapAfter version: ModelVersion) -> String? {
    let (from, app) = (version.name, version.app)
    let migrations = catalog(of: app)?.migrations ?? []
    // Beside the models of an app alone, '--to' names the version to migrate to.
    if migrations.isEmpty, version.origin != nil { return nil }
    let unknown = migrations.first {
      $0.from == from && self.version($0.to, of: app) == nil
    }
    if let unknown {
      return "'\(unknown.name)' leads from \(from) to '\(unknown.to)', which has no schema file: "
        + "capture that model into the folder of '--migrations', with the name '\(unknown.to)'"
    }
    let newer = versions(of: app).filter { $0.edition == nil && version.sortKey < $0.sortKey }
    guard !newer.isEmpty else { return nil }
    return "no migration leads from \(from) to \(newer.map(\.name).joined(separator: ", ")); "
      + "check 'from', 'to' and 'app' of the migration files with 'lint'"
  }
}
