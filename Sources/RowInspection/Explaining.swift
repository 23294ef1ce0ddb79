package import StoreMigration
import RowRewriting
import SQLite
import StoreFormat
package import Migrations
import OutboxConversion
import StoreProof

extension StoreMigrator {
  /// Explains what a migration does to one row, step by step, without changing a byte of the store.
  ///
  /// - Parameters:
  ///   - row: A UUID, or `Entity/key`.
  ///   - path: The path of the store's main file.
  ///   - request: The target and the options.
  ///   - showsValues: Whether fingerprints come with their values, except secrets.
  /// - Returns: The explanation.
  /// - Throws: A ``MigrationError`` if the store can't be read or migrated, if it doesn't have the
  ///   row, or if several rows have the UUID.
  package func explain(
    _ row: String, of path: String, _ request: MigrationRequest = MigrationRequest(),
    showsValues: Bool = false
  ) throws(MigrationError) -> Explanation {
    try planned(for: path, request, showsValues: showsValues) { planner, connection in
      guard let address = RowAddress(row) else { throw RequestError.badRow(row) }
      let found = try planner.rows(address, connection)
      guard let place = found.first else { throw RequestError.noRow(row) }
      guard found.count == 1 else { throw RequestError.severalRows(row, found.map(\.name)) }
      let owner = try planner.owner(connection)
      let rows = RowStages(planner: planner, row: place, options: owner.options)
      var story = RowStory(
        rows: rows, stages: try rows.stages(in: catalog, connection),
        lostSteps: try rows.lostSteps(connection), hasOwner: owner.value != nil, mask: planner.mask,
        removal: try RowRemovalStory(of: rows, connection))
      let reader = RowReader(
        planner.store, model: planner.route.source.model, files: planner.files,
        mask: planner.mask)
      let explanation = story.explain(try reader.row(place, connection), path: path)
      let program = try planner.program(options: owner.options)
      guard let (outbox, delivery) = program.delivery, outbox.sourceTable == place.table.name
      else { return explanation }
      return explanation.replacing(
        by: try DeliveryPass.outcome(of: place.key, in: outbox, delivery, connection))
    }
  }
}

extension Planner {
  fileprivate func rows(
    _ address: RowAddress, _ connection: borrowing Connection
  ) throws -> [RowPlace] {
    let model = route.source.model
    let layout = store.layout(of: model)
    return try RowFinder(layout: layout, model: model).rows(address, connection)
  }
}

extension RowStages {
  /// Returns the row at each version, from the source to the target.
  fileprivate func stages(
    in catalog: Catalog, _ connection: borrowing Connection
  ) throws -> [RowStage] {
    let route = planner.route
    var version = route.source
    var lineage = Lineage(identityOf: version.model)
    var stages = [try stage(at: version, by: lineage, connection)]
    for migration in route.migrations {
      let isLast = migration == route.migrations.last
      guard
        let next = isLast ? route.target : catalog.version(migration.to, of: route.source.app)
      else { throw VersionError.noPath(from: version.name, to: migration.to) }
      lineage = try lineage.applying(migration, source: version.model, target: next.model)
      version = next
      stages.append(try stage(at: version, by: lineage, connection))
    }
    return stages
  }

  /// Returns the names of the steps by which the row loses a value.
  fileprivate func lostSteps(_ connection: borrowing Connection) throws -> Set<String> {
    let program = try planner.program(options: options)
    var steps: Set<String> = []
    for rows in program.rewrites where rows.sourceTable == row.table.name {
      let losses = try tally(rows, connection).losses
      for (drop, count) in zip(rows.drops, losses) where count > 0 { steps.insert(drop.step) }
    }
    return steps
  }
}
