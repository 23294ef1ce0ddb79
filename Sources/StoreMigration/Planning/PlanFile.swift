import StoreFormat
import Platform
import StoreModel
package import Migrations

/// A saved plan, with what it takes to apply exactly this plan later, or to refuse it.
///
/// `PlanFiles.md` specifies the file.
package struct PlanFile: Hashable, Sendable {
  /// The version of the format that this library reads and writes.
  package static let formatVersion: Int64 = 1

  /// The maximum size of a plan file, in bytes.
  package static let maximumByteCount = 16 << 20

  /// The tool that created the plan, with its version.
  package let tool: String

  /// The store's name, without its folder.
  package let store: String

  /// What the user asked for; a schema file is given only by its path, as typed.
  package var request: MigrationRequest

  /// The folder of migrations as typed; `nil` if none was given.
  package let migrationFolder: String?

  /// The hashes of the files that the plan depends on.
  let sources: PlanSources

  /// Sketches of the rows that the plan was created from, by table.
  let data: [String: RowSketch]

  /// The plan.
  package let plan: Plan

  /// The SHA-256 of everything else in the file; it reveals edits, but isn't a signature.
  var seal = ""
}

/// The files that a plan depends on: their names with hashes.
struct PlanSources: Hashable, Sendable {
  /// The hash of each migration, by migration; empty for an inferred migration.
  var migrations: [String: String]

  /// The SHA-256 of the schema of each version from source to target, by version.
  var schemas: [String: String]
}

extension PlanSources {
  init(_ route: Route, in catalog: Catalog) {
    migrations = Dictionary(
      route.migrations.map { ($0.name, $0.hash) }, uniquingKeysWith: { first, _ in first })
    let between = route.migrations.dropLast().compactMap {
      catalog.version($0.to, of: route.source.app)
    }
    schemas = Dictionary(
      ([route.source, route.target] + between).map { ($0.name, $0.schemaHash) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns what changed since a plan was created.
  func moves(since old: PlanSources) -> [PlanMove] {
    Self.names(migrations, unlike: old.migrations).map { .migration($0) }
      + Self.names(schemas, unlike: old.schemas).map { .schema($0) }
  }

  private static func names(
    _ hashes: [String: String], unlike others: [String: String]
  ) -> [String] {
    Set(hashes.keys).union(others.keys).filter { hashes[$0] != others[$0] }.sorted()
  }
}

extension ModelVersion {
  /// The SHA-256 of the version's schema, in hexadecimal digits.
  fileprivate var schemaHash: String {
    let schema = SchemaFile(
      app: app, version: name, model: model,
      capture: capturedCache.map { SchemaCapture(modelCache: $0) })
    return Hexadecimal.encode(sha256(Array(schema.text.utf8)))
  }
}
