import JSONText
import Platform
import StoreModel

/// The versions and migrations that the tool knows: the bundled ones, and those of a folder.
public struct Catalog: Sendable {
  /// The versions, ordered by app and then by number and name.
  public let versions: [ModelVersion]

  /// The migrations, ordered like the versions they start at.
  public let migrations: [Migration]

  /// The forms of models that were given up and are only told by signs.
  public let abandonedEditions: [AbandonedEdition]

  public init(
    versions: [ModelVersion], migrations: [Migration], abandonedEditions: [AbandonedEdition] = []
  ) {
    self.versions = versions.sorted { $0.sortKey < $1.sortKey }
    self.migrations = migrations.sorted {
      SortKey(app: $0.app, name: $0.from) < SortKey(app: $1.app, name: $1.from)
    }
    self.abandonedEditions = abandonedEditions
  }

  /// The catalog of the files that are embedded in the tool.
  ///
  /// - Throws: A `JSONError` if an embedded file isn't as the specification says.
  public static func bundled() throws(JSONError) -> Catalog { try embedded.get() }

  /// The embedded files are read once, half of them on a second thread: every start waits for them.
  private static let embedded = Result { () throws(JSONError) in
    let files = EmbeddedFile.all.map { (path: $0.path, bytes: $0.bytes) }
    @Sendable func part(_ number: Int) -> Result<Catalog, JSONError> {
      Result { () throws(JSONError) in
        try Catalog(files: files.indices.filter { $0 % 2 == number }.map { files[$0] })
      }
    }
    let parts = (try? concurrently({ part(0) }, { part(1) })) ?? (part(0), part(1))
    let (first, second) = (try parts.0.get(), try parts.1.get())
    return Catalog(
      versions: first.versions + second.versions,
      migrations: first.migrations + second.migrations,
      abandonedEditions: first.abandonedEditions + second.abandonedEditions)
  }

  /// Makes a catalog of files: `*.schema.json` are schemas, `*.edition.json` are abandoned editions,
  /// other `*.json` are migrations.
  public init(files: [(path: String, bytes: [UInt8])]) throws(JSONError) {
    var versions: [ModelVersion] = []
    var migrations: [Migration] = []
    var editions: [AbandonedEdition] = []
    var paths: [String: String] = [:]
    /// Two files of one name would be taken one or the other.
    func note(_ name: String, _ app: String, _ path: String) throws(JSONError) {
      guard let other = paths.updateValue(path, forKey: "\(app.lowercased()) \(name)") else {
        return
      }
      throw JSONError(
        file: path, position: JSONPosition(line: 1, column: 1),
        reason: .rejected("'\(name)' of \(app) is in '\(other)' as well; remove one of the two"))
    }
    for file in files where file.path.hasSuffix(".json") {
      if file.path.hasSuffix(".schema.json") {
        versions.append(ModelVersion(try SchemaFile(parsing: file.bytes, file: file.path)))
        if let version = versions.last { try note(version.name, version.app, file.path) }
      } else if file.path.hasSuffix(".edition.json") {
        editions.append(try AbandonedEdition(parsing: file.bytes, file: file.path))
        if let edition = editions.last { try note(edition.name, edition.app, file.path) }
      } else {
        migrations.append(try Migration(parsing: file.bytes, file: file.path))
        if let migration = migrations.last { try note(migration.name, migration.app, file.path) }
      }
    }
    self.init(versions: versions, migrations: migrations, abandonedEditions: editions)
  }

  /// Returns this catalog with another's versions and migrations added, replacing those of equal name.
  public func merging(_ other: Catalog) -> Catalog {
    Catalog(
      versions: other.versions
        + versions.filter { old in
          !other.versions.contains { $0.name == old.name && $0.app.isSameApp(as: old.app) }
        },
      migrations: other.migrations
        + migrations.filter { old in
          !other.migrations.contains { $0.name == old.name && $0.app.isSameApp(as: old.app) }
        },
      abandonedEditions: other.abandonedEditions
        + abandonedEditions.filter { old in
          !other.abandonedEditions.contains {
            $0.name == old.name && $0.app.isSameApp(as: old.app)
          }
        })
  }
}

extension Catalog {
  /// The apps that the catalog has versions of, in the order of their names.
  public var apps: [String] {
    Array(Set(versions.map(\.app))).sorted()
  }

  /// Returns the versions of an app, editions included, in order.
  public func versions(of app: String) -> [ModelVersion] {
    versions.filter { $0.app.isSameApp(as: app) }
  }

  /// Returns an app's version by its name.
  public func version(_ name: String, of app: String) -> ModelVersion? {
    versions(of: app).first { $0.name == name }
      ?? versions(of: app).first { $0.name.lowercased() == name.lowercased() }
  }

  /// Returns the newest version that a store at a version can get to by the catalog's migrations.
  public func newest(from version: ModelVersion) -> ModelVersion {
    let reachable = versions(of: version.app).filter { path(from: version, to: $0) != nil }
    let plain = reachable.filter { $0.edition == nil }
    return (plain.isEmpty ? reachable : plain).max { $0.sortKey < $1.sortKey } ?? version
  }

  /// Returns the shortest chain of migrations between two versions of an app.
  ///
  /// - Complexity: O(n · m) in the numbers of versions and migrations.
  public func path(from start: ModelVersion, to goal: ModelVersion) -> [Migration]? {
    let migrations = migrations.filter { $0.app.isSameApp(as: start.app) }
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
}

extension String {
  /// Returns whether two names mean the same app: they are compared without case.
  func isSameApp(as other: String) -> Bool { lowercased() == other.lowercased() }
}

/// The order of versions: by app, number, name.
struct SortKey: Comparable {
  let app: String
  let number: Int
  let name: String

  init(app: String, name: String) {
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
