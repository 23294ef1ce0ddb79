import StoreModel

/// The migrations from a store's version to the target, chosen before any row is read.
package struct Route: Hashable, Sendable {
  /// The version of the store.
  package let source: ModelVersion

  /// The version of the store afterwards.
  package let target: ModelVersion

  /// The migrations between them, in order.
  package let migrations: [Migration]

  /// The origin of every value of the target.
  package let lineage: Lineage

  /// A sentence about newer versions that no migration leads to; `nil` if a target was named.
  package let outOfReachSentence: String?

  /// The catalog's migrations that may be meant where the migration is inferred.
  ///
  /// They share one end with it, and no model has the name of their other end: a version of an app
  /// that the catalog doesn't know is named after its model file, or by the identifier in a store.
  package let unusedMigrations: [Migration]

  /// Finds the migrations that lead to the target of a request.
  ///
  /// If the target is a schema file and no migration files lead to it, the migration is inferred
  /// from the two models.
  ///
  /// - Throws: ``VersionError/otherApp(_:expected:)``, ``VersionError/noVersion(_:app:known:)``,
  ///   ``VersionError/noPath(from:to:)``, ``VersionError/namesake(_:to:)``,
  ///   ``VersionError/backward(from:to:)``,
  ///   ``VersionError/undecided(from:to:questions:unused:)``, ``VersionError/unrelated(from:to:)``,
  ///   ``VersionError/onlyApp(from:to:_:)`` or ``VersionError/lineage(_:)``.
  package init(
    from source: ModelVersion, to request: MigrationRequest, catalog: Catalog
  ) throws(VersionError) {
    var (source, known) = (source, catalog)
    let target: ModelVersion
    let migrations: [Migration]
    if let schema = request.schema {
      guard schema.app.isSameApp(as: source.app) || catalog.versions(of: schema.app).isEmpty
      else { throw .otherApp(schema.app, expected: source.app) }
      (source, target) = Self.named(source, schema)
      // The catalog may lack the target, and the version of an unknown store.
      known = catalog.merging(Catalog(versions: [source, target], migrations: []))
      migrations = try Self.migrations(from: source, toSchema: target, known)
      try Self.checkNamesake(of: source, before: migrations, catalog)
    } else {
      target = try Self.target(from: source, named: request.target, catalog)
      migrations = try Self.migrations(from: source, to: target, catalog)
    }
    do throws(LineageError) {
      lineage = try Self.lineage(from: source, migrations, known)
    } catch {
      throw .lineage(error)
    }
    let changes = lineage.unsupportedChanges(from: source.model, to: target.model)
    guard changes.isEmpty else {
      throw .onlyApp(from: source.name, to: target.name, changes)
    }
    self.source = source
    self.target = target
    self.migrations = migrations
    unusedMigrations =
      migrations.allSatisfy(catalog.migrations.contains)
      ? [] : Self.unusedMigrations(from: source, to: target, catalog)
    outOfReachSentence =
      request.schema == nil && request.target == nil ? catalog.sentence(onGapAfter: target) : nil
  }

  /// Throws ``VersionError/otherCache(app:version:)`` if the target's model cache can't be written.
  package func checkCache() throws(VersionError) {
    guard target.hasOwnCache else { throw .otherCache(app: target.app, version: target.name) }
  }

  /// Returns the inverse route: the inverse of each migration, the last one first.
  ///
  /// - Parameter catalog: A catalog with the versions of all migrations.
  /// - Returns: The route from the target to the source.
  /// - Throws: A ``LineageError`` if a version is unknown or a step has no inverse.
  package func inverse(in catalog: Catalog) throws(LineageError) -> Route {
    let known = catalog.merging(Catalog(versions: [source, target], migrations: []))
    var backward: [Migration] = []
    var start = source
    for migration in migrations {
      guard let next = known.version(migration.to, of: source.app) else {
        throw .unknownEntity(migration.to, in: migration.name, known: [])
      }
      backward.insert(migration.inverse(source: start.model, target: next.model), at: 0)
      start = next
    }
    let lineage = try Self.lineage(from: target, backward, known)
    try lineage.checkPlaces(
      from: target.model, to: source.model, in: backward.map(\.name).joined(separator: ", "))
    return Route(source: target, target: source, migrations: backward, lineage: lineage)
  }

  /// Creates a route from migrations whose versions are in a catalog.
  package init(
    from source: ModelVersion, to target: ModelVersion, following migrations: [Migration],
    _ catalog: Catalog
  ) throws(LineageError) {
    self.init(
      source: source, target: target, migrations: migrations,
      lineage: try Self.lineage(from: source, migrations, catalog))
  }

  private init(
    source: ModelVersion, target: ModelVersion, migrations: [Migration], lineage: Lineage
  ) {
    self.source = source
    self.target = target
    self.migrations = migrations
    self.lineage = lineage
    outOfReachSentence = nil
    unusedMigrations = []
  }

  /// Throws if a file that starts at the store's version does so by its name alone.
  private static func checkNamesake(
    of source: ModelVersion, before migrations: [Migration], _ catalog: Catalog
  ) throws(VersionError) {
    guard let given = catalog.version(source.name, of: source.app), given.hashes != source.hashes,
      let first = migrations.first, catalog.migrations.contains(first)
    else { return }
    throw .namesake(source.name, to: first.to)
  }

  private static func unusedMigrations(
    from source: ModelVersion, to target: ModelVersion, _ catalog: Catalog
  ) -> [Migration] {
    func isNamed(_ name: String) -> Bool { catalog.version(name, of: target.app) != nil }
    return catalog.migrations.filter {
      $0.app.isSameApp(as: target.app)
        && ($0.to == target.name && $0.from != source.name && !isNamed($0.from)
          || $0.from == source.name && $0.to != target.name && !isNamed($0.to))
    }
  }

  /// Returns the version of a store and that of a target, as two versions of one app.
  ///
  /// Files may spell the app's name in two ways, and one file changes between two commits without
  /// getting another name.
  private static func named(
    _ source: ModelVersion, _ target: SchemaFile
  ) -> (source: ModelVersion, target: ModelVersion) {
    let schema = SchemaFile(
      app: source.app, version: target.version, model: target.model, capture: target.capture,
      origin: target.origin)
    let version = ModelVersion(schema)
    return source.name == version.name && source.hashes != version.hashes
      ? (ModelVersion(unknown: source.model, migratingTo: schema), version) : (source, version)
  }

  private static func target(
    from source: ModelVersion, named name: String?, _ catalog: Catalog
  ) throws(VersionError) -> ModelVersion {
    guard let name else { return catalog.newest(from: source) }
    guard let target = catalog.version(name, of: source.app) else {
      throw .noVersion(
        name, app: source.app, known: catalog.versions(of: source.app).map(\.name))
    }
    // If no migration leads from an edition to a version, the version's edition of the same suffix
    // is meant: from V6@plan, V7 is V7@plan.
    guard target.edition == nil, let edition = source.edition,
      catalog.path(from: source, to: target) == nil
    else { return target }
    let suffix = edition.drop { $0 != "@" }
    return catalog.version(target.name + suffix, of: source.app) ?? target
  }

  private static func migrations(
    from source: ModelVersion, to target: ModelVersion, _ catalog: Catalog
  ) throws(VersionError) -> [Migration] {
    if let migrations = catalog.path(from: source, to: target) { return migrations }
    throw target.sortKey < source.sortKey
      ? .backward(from: source.name, to: target.name)
      : .noPath(from: source.name, to: target.name)
  }

  private static func migrations(
    from source: ModelVersion, toSchema target: ModelVersion, _ catalog: Catalog
  ) throws(VersionError) -> [Migration] {
    // Hashes don't cover indexes.
    if source.hashes == target.hashes, source.has(indexesOf: target.model) { return [] }
    if let path = catalog.path(from: source, to: target), !path.isEmpty { return path }
    // Two apps can use one file name, and a typo can name another app's model.
    guard target.model.hasEntities(of: source.model) else {
      throw .unrelated(from: source.name, to: target.name)
    }
    let inferred = try InferredMigration.possible(from: source, to: target)
    guard inferred.openQuestions.isEmpty else {
      throw .undecided(
        from: source.name, to: target.name,
        questions: inferred.openQuestions.map { "'\($0.object)': \($0.reason)" },
        unused: unusedMigrations(from: source, to: target, catalog).map(\.name))
    }
    return [inferred.migration]
  }

  private static func lineage(
    from source: ModelVersion, _ migrations: [Migration], _ catalog: Catalog
  ) throws(LineageError) -> Lineage {
    var lineage = Lineage(identityOf: source.model)
    var model = source.model
    for migration in migrations {
      guard let next = catalog.version(migration.to, of: source.app) else {
        throw .unknownEntity(migration.to, in: migration.name, known: [])
      }
      lineage = try lineage.applying(migration, source: model, target: next.model)
      model = next.model
    }
    return lineage
  }
}
