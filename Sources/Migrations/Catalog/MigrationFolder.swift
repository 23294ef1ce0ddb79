package import Platform
import StoreModel

/// A folder of schema and migration files, searched recursively.
package struct MigrationFolder: Hashable, Sendable {
  /// The path, as typed.
  let path: String

  package init(path: String) { self.path = path }

  /// Returns the `.json` files, ordered by path.
  ///
  /// - Returns: The paths, which begin with that of the folder, and the contents.
  /// - Throws: A `SystemError` if the folder or a file can't be read.
  package func files() throws(SystemError) -> [MigrationFileSet.File] {
    var files: [MigrationFileSet.File] = []
    for name in try FileSystem.list(path) where !name.hasPrefix(".") {
      let path = inner(name)
      switch try FileStatus(of: path).kind {
      // Receipts of snapshots aren't migrations.
      case .directory where name.hasSuffix(".snapshots"): break
      case .directory: files += try MigrationFolder(path: path).files()
      case .regular where name.hasSuffix(".json"):
        files.append((path, try FileSystem.read(path)))
      default: break
      }
    }
    return files
  }

  /// Returns the version with equal hashes that a schema file in the folder itself is about.
  ///
  /// - Parameter version: The version.
  /// - Returns: The version, as its schema file has it; `nil` if no readable file is about it.
  package func version(like version: ModelVersion) -> ModelVersion? {
    versions.first { $0.has(version.hashes) }
  }

  /// Returns whether a schema file in the folder itself gives the version's name to another model.
  package func hasOther(named version: ModelVersion) -> Bool {
    Catalog(versions: versions, migrations: []).hasOther(named: version)
  }

  /// Returns the versions of an app that migration files in the folder itself start at or lead to.
  ///
  /// Files of another kind and of more than a megabyte are left out, so that any folder can be asked.
  ///
  /// - Parameter app: The app's name.
  /// - Returns: The names, in order.
  package func versionsOfMigrations(of app: String) -> [String] {
    let files = names.filter { $0.hasSuffix(".json") && !$0.hasSuffix(Self.schemaSuffix) }
      .map(inner).filter { path in
        guard let status = try? FileStatus(of: path) else { return false }
        return status.kind == .regular && status.size <= 1 << 20
      }
    let migrations = files.compactMap { try? Migration(parsing: FileSystem.read($0), file: $0) }
    return Set(migrations.filter { $0.app.isSameApp(as: app) }.flatMap { [$0.from, $0.to] })
      .sorted()
  }

  /// The versions of the schema files in the folder itself that can be read.
  private var versions: [ModelVersion] {
    names.filter { $0.hasSuffix(Self.schemaSuffix) }.map(inner)
      .compactMap { try? SchemaFile(parsing: FileSystem.read($0), file: $0) }
      .map { ModelVersion($0) }
  }

  private static let schemaSuffix = ".schema.json"

  /// The names in the folder itself, in order; empty if it can't be read.
  private var names: [String] { ((try? FileSystem.list(path)) ?? []).sorted() }

  private func inner(_ name: String) -> String {
    path.hasSuffix("/") ? path + name : "\(path)/\(name)"
  }
}
