import SQLite
import StoreFormat
import StoreModel

/// The way from the version a store is at to the target, before any row is read.
public struct Route: Hashable, Sendable {
  /// The version the store is at.
  public let source: ModelVersion

  /// The version it will be at.
  public let target: ModelVersion

  /// The migrations between them, in order.
  public let migrations: [Migration]

  /// Where every value of the target comes from.
  public let lineage: Lineage

  /// Finds the way.
  ///
  /// - Throws: ``MigrationError/noVersion(_:app:known:)``, ``MigrationError/noPath(from:to:)``,
  ///   ``MigrationError/backward(from:to:)`` or a ``LineageError``, wrapped.
  public init(
    from source: ModelVersion, to name: String?, catalog: Catalog
  ) throws(MigrationError) {
    let target = try Self.target(from: source, named: name, catalog: catalog)
    guard let migrations = catalog.path(from: source, to: target) else {
      throw target.sortKey < source.sortKey
        ? .backward(from: source.name, to: target.name)
        : .noPath(from: source.name, to: target.name)
    }
    self.source = source
    self.target = target
    self.migrations = migrations
    do {
      lineage = try Self.lineage(from: source, migrations: migrations, catalog: catalog)
    } catch {
      throw .lineage(error)
    }
  }

  private static func target(
    from source: ModelVersion, named name: String?, catalog: Catalog
  ) throws(MigrationError) -> ModelVersion {
    guard let name else { return catalog.newest(from: source) }
    guard let target = catalog.version(name, of: source.app) else {
      throw .noVersion(
        name, app: source.app, known: catalog.versions(of: source.app).map(\.name))
    }
    // An edition's neighbours are editions too: V6@plan goes to what is called V7 there.
    guard target.edition == nil, let edition = source.edition,
      catalog.path(from: source, to: target) == nil
    else { return target }
    let suffix = edition.drop { $0 != "@" }
    return catalog.version(target.name + suffix, of: source.app) ?? target
  }

  private static func lineage(
    from source: ModelVersion, migrations: [Migration], catalog: Catalog
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
