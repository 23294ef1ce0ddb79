package import JSONText
import Platform
package import StoreModel

/// The versions and migrations that the tool knows: the embedded ones, and those in a folder.
public struct Catalog: Sendable {
  /// The apps, ordered by name, without duplicates.
  let catalogedApps: [CatalogedApp]

  /// The models that the user gave for stores without a model cache.
  package private(set) var givenModels: [ModelVersion] = []

  package init(
    versions: [ModelVersion], migrations: [Migration], abandonedEditions: [AbandonedEdition] = []
  ) {
    let names = versions.map(\.app) + migrations.map(\.app) + abandonedEditions.map(\.app)
    catalogedApps = Set(names.map { $0.lowercased() }).sorted().map { name in
      CatalogedApp(
        name: name,
        AppCatalog(
          versions: versions.filter { $0.app.isSameApp(as: name) },
          migrations: migrations.filter { $0.app.isSameApp(as: name) },
          abandonedEditions: abandonedEditions.filter { $0.app.isSameApp(as: name) }))
    }
  }

  private init(_ apps: [CatalogedApp]) { catalogedApps = apps.sorted { $0.name < $1.name } }

  /// The catalog of the embedded files; an app's files are parsed on first use.
  public static let bundled: Catalog = {
    let files = EmbeddedFile.all.filter { $0.path.contains("/") }
    let folders = Dictionary(grouping: files) { $0.path.prefix { $0 != "/" } }
    return Catalog(folders.map { CatalogedApp(name: String($0.key), files: $0.value) })
  }()

  /// Creates a catalog from files.
  ///
  /// `*.schema.json` are schemas, `*.edition.json` are abandoned editions, `*.converters.json` are
  /// converters, other `*.json` are migrations.
  package init(files: [(path: String, bytes: [UInt8])]) throws(JSONError) {
    var versions: [ModelVersion] = []
    var migrations: [Migration] = []
    var editions: [AbandonedEdition] = []
    var paths: [String: String] = [:]
    /// Records the file of a version, edition or migration, and rejects a second file for it.
    func note(_ name: String, _ app: String, _ path: String) throws(JSONError) {
      guard let other = paths.updateValue(path, forKey: "\(app.lowercased()) \(name)") else {
        return
      }
      throw JSONError(
        file: path, position: .start,
        reason: .rejected("'\(name)' of \(app) is in '\(other)' as well; remove one of the two"))
    }
    var converters: [ConverterFile] = []
    for file in files where file.path.hasSuffix(ConverterFile.suffix) {
      converters.append(try ConverterFile(parsing: file.bytes, file: file.path))
    }
    let names = ConverterNames.bundled.adding(converters)
    for file in files
    where file.path.hasSuffix(".json") && !file.path.hasSuffix(ConverterFile.suffix) {
      if file.path.hasSuffix(".schema.json") {
        versions.append(ModelVersion(try SchemaFile(parsing: file.bytes, file: file.path)))
        if let version = versions.last { try note(version.name, version.app, file.path) }
      } else if file.path.hasSuffix(".edition.json") {
        editions.append(try AbandonedEdition(parsing: file.bytes, file: file.path))
        if let edition = editions.last { try note(edition.name, edition.app, file.path) }
      } else {
        migrations.append(
          try Migration(parsing: file.bytes, file: file.path, converters: names))
        if let migration = migrations.last { try note(migration.name, migration.app, file.path) }
      }
    }
    self.init(versions: versions, migrations: migrations, abandonedEditions: editions)
  }

  /// Returns this catalog with another's content added, replacing what has the same name.
  public func merging(_ other: Catalog) -> Catalog {
    let merged = other.catalogedApps.map { theirs in
      guard let mine = catalogedApps.first(where: { $0.name == theirs.name }) else { return theirs }
      return CatalogedApp(name: mine.name, mine.catalog.merging(theirs.catalog))
    }
    var catalog = Catalog(
      merged + catalogedApps.filter { mine in !merged.contains { $0.name == mine.name } })
    catalog.givenModels = givenModels + other.givenModels
    return catalog
  }

  /// Returns this catalog with the model of a store without a model cache.
  package func giving(_ schema: SchemaFile) -> Catalog {
    let version = ModelVersion(schema)
    var catalog = merging(Catalog(versions: [version], migrations: []))
    catalog.givenModels.append(version)
    return catalog
  }
}

extension Catalog {
  /// The versions, ordered by app and then by number and name.
  ///
  /// - Complexity: O(*n*) in the bytes of all apps' files, on first use.
  package var versions: [ModelVersion] { catalogedApps.flatMap(\.catalog.versions) }

  /// The migrations, ordered by the versions that they start at.
  package var migrations: [Migration] { catalogedApps.flatMap(\.catalog.migrations) }

  /// The abandoned editions, which are recognised by signs only.
  package var abandonedEditions: [AbandonedEdition] {
    catalogedApps.flatMap(\.catalog.abandonedEditions)
  }

  /// The apps that the catalog has versions of, ordered by name.
  public var apps: [String] {
    Array(Set(versions.map(\.app))).sorted()
  }

  /// Returns the versions of an app, editions included, in order.
  ///
  /// - Complexity: O(*n*) in the bytes of the app's files, on first use.
  package func versions(of app: String) -> [ModelVersion] { catalog(of: app)?.versions ?? [] }

  /// Returns an app's version by its name; an exact match precedes one that ignores case.
  package func version(_ name: String, of app: String) -> ModelVersion? {
    let versions = versions(of: app)
    return versions.first { $0.name == name }
      ?? versions.first { $0.name.lowercased() == name.lowercased() }
  }

  /// Returns whether another model of the same app has the version's name.
  package func hasOther(named version: ModelVersion) -> Bool {
    self.version(version.name, of: version.app).map { $0.hashes != version.hashes } ?? false
  }

  /// Returns the newest version that the catalog's migrations lead to from a version.
  package func newest(from version: ModelVersion) -> ModelVersion {
    let reachable = versions(of: version.app).filter { path(from: version, to: $0) != nil }
    // An edition is the result only if no version can be reached.
    let plain = reachable.filter { $0.edition == nil }
    return (plain.isEmpty ? reachable : plain).max { $0.sortKey < $1.sortKey } ?? version
  }

  /// Returns the shortest chain of migrations between two versions of an app, if there is one.
  ///
  /// - Complexity: O(n · m) in the numbers of versions and migrations.
  package func path(from start: ModelVersion, to goal: ModelVersion) -> [Migration]? {
    // From a version to a version, the way doesn't lead through an edition.
    let migrations = (catalog(of: start.app)?.migrations ?? []).filter {
      goal.edition != nil || $0.from.contains("@") || !$0.to.contains("@")
    }
    // A breadth-first search: the first chain that reaches a version is a shortest one.
    var ways: [String: [Migration]] = [start.name: []]
    var frontier = [start.name]
    while !frontier.isEmpty, ways[goal.name] == nil {
      var next: [String] = []
      for name in frontier {
        for migration in migrations where migration.from == name && ways[migration.to] == nil {
          ways[migration.to] = (ways[name] ?? []) + [migration]
          next.append(migration.to)
        }
      }
      frontier = next
    }
    return ways[goal.name]
  }

  /// Returns the error in a migration file to a newer version, if no version has its `from`.
  ///
  /// Such a file leads nowhere. A migration from it may be what is missing to reach that version.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - name: The version that a store can be brought to.
  /// - Returns: The error, with the position of `from`; `nil` if there is no such file.
  package func unknownStart(of app: String, beyond name: String) -> JSONError? {
    guard let reached = version(name, of: app), let known = catalog(of: app) else { return nil }
    for migration in known.migrations where version(migration.from, of: app) == nil {
      guard let node = migration.fromNode, let goal = version(migration.to, of: app),
        goal.edition == nil, reached.sortKey < goal.sortKey
      else { continue }
      let names = known.versions.filter { $0.sortKey < goal.sortKey }.map(\.name)
      return node.error(
        "\(app) has no version '\(migration.from)'; give one of \(names.joined(separator: ", "))")
    }
    return nil
  }

  /// Returns the versions and migrations of an app; `nil` for an unknown app.
  package func catalog(of app: String) -> AppCatalog? {
    catalogedApps.first { $0.name.isSameApp(as: app) }?.catalog
  }
}

/// The order of versions: by app, number, name.
struct SortKey: Comparable {
  package let app: String
  package let number: Int
  package let name: String

  package init(app: String, name: String) {
    self.app = app.lowercased()
    number = Int(name.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? 0
    self.name = name
  }

  static func < (left: SortKey, right: SortKey) -> Bool {
    (left.app, left.number, left.name) < (right.app, right.number, right.name)
  }
}

extension ModelVersion {
  var sortKey: SortKey { SortKey(app: app, name: name) }
}
