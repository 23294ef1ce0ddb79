import StoreExchange
import SQLite
import StoreFormat
import StoreModel
import Migrations
import RowRewriting

extension Replay {
  /// Reconstructs from a receipt how a run made the store.
  ///
  /// - Parameters:
  ///   - receipt: The receipt of the snapshot that is attached.
  ///   - snapshot: The snapshot's folder.
  ///   - present: The model of the present store.
  ///   - catalog: The known versions and migrations.
  ///   - connection: A connection that the snapshot is attached to.
  ///   - userID: The owner of rows that name none, as the user typed it; `nil` for the apply's own.
  /// - Throws: ``RequestError/cannotReplay(_:reason:)`` if the receipt is a rollback's or
  ///   a repair's, the snapshot has no model, or a migration file has changed.
  init(
    _ receipt: Receipt, of snapshot: SnapshotFolder, present: Model, catalog: Catalog,
    _ connection: borrowing Connection, userID: String? = nil
  ) throws {
    guard receipt.kind == .apply || receipt.kind == .edit else {
      throw RequestError.cannotReplay(
        snapshot.name, reason: "it is the snapshot of a \(receipt.kind.rawValue)")
    }
    old = try catalog.completing(StoreDescription(reading: connection, schema: Self.oldSchema))
    guard let model = old.cachedModel else {
      throw RequestError.cannotReplay(
        snapshot.name, reason: "the store in it has no model cache; give its model with '--model'")
    }
    let details = try RunDetails(of: receipt, snapshot: snapshot.name)
    let source = Self.version(receipt.from, of: receipt.app, model: model, catalog)
    target = Self.version(receipt.to, of: receipt.app, model: present, catalog)
    route = try Route(
      replaying: details.migrations, from: source, to: target, catalog: catalog,
      snapshot: snapshot.name)
    let layout = old.layout(of: model)
    let owner = try OwnerOption(
      given: userID ?? details.request.userID, model: model, layout: layout, connection: connection,
      schema: Self.oldSchema)
    ownerCandidates = owner.candidates
    program = try ProgramBuilder(
      lineage: route.lineage, source: model, target: target.model, store: old,
      options: owner.options, rows: details.request.rows
    ).program()
    edited =
      receipt.kind == .edit
      ? try EditedRows(attaching: snapshot.file(.edited), connection) : nil
    returned = try snapshot.returnedNames().map(snapshot.returnedFile)
  }

  /// Returns the catalog's version if its hashes are the model's, else a version of the model.
  private static func version(
    _ name: String, of app: String, model: Model, _ catalog: Catalog
  ) -> ModelVersion {
    if let known = catalog.version(name, of: app), known.hashes == VersionHashes(model) {
      return known
    }
    return ModelVersion(SchemaFile(app: app, version: name, model: model))
  }
}

extension Route {
  /// Finds the route with the migrations that a receipt names.
  fileprivate init(
    replaying checksums: [String: String], from source: ModelVersion, to target: ModelVersion,
    catalog: Catalog, snapshot: String
  ) throws {
    let known = catalog.merging(Catalog(versions: [source, target], migrations: []))
    let inferred = InferredMigration(from: source, to: target).migration
    let migrations =
      checksums == [inferred.name: ""] ? [inferred] : known.path(from: source, to: target) ?? []
    let present = Dictionary(
      migrations.map { ($0.name, $0.checksum) }, uniquingKeysWith: { first, _ in first })
    guard present == checksums else {
      throw RequestError.cannotReplay(
        snapshot, reason: known.difference(from: checksums, of: source.app))
    }
    self = try Route(from: source, to: target, following: migrations, known)
  }
}

extension Catalog {
  /// Describes how an app's migrations differ from those that a receipt names.
  fileprivate func difference(from checksums: [String: String], of app: String) -> String {
    let present = Dictionary(
      (catalog(of: app)?.migrations ?? []).map { ($0.name, $0.checksum) },
      uniquingKeysWith: { first, _ in first })
    let names = checksums.keys.sorted()
    if let missing = names.first(where: { present[$0] == nil }) {
      return "the migration '\(missing)' is unknown; give its folder with '--migrations'"
    }
    let changed = names.first { present[$0] != checksums[$0] }
    return changed.map { "the migration '\($0)' isn't the one that the store was migrated with" }
      ?? "other migrations lead to the version now"
  }
}
