import StoreModel
package import SQLite
package import StoreFormat
package import Migrations

/// The migration of a store that mirrors to CloudKit.
package struct MirroredMigration {
  package let store: StoreDescription
  package let route: Route

  private let layout: StoreLayout

  /// Creates the migration; `nil` if the store doesn't mirror, or if nothing is to be done.
  package init?(_ store: StoreDescription, _ route: Route) {
    guard store.isMirrored, !route.migrations.isEmpty else { return nil }
    self.store = store
    self.route = route
    layout = store.layout(of: route.source.model)
  }

  /// The changes of the model that the cloud can't follow.
  package var schemaChanges: [CloudSchemaChange] {
    route.source.model.cloudSchemaChanges(to: route.target.model, by: route.lineage)
  }

  /// Returns the reasons against the migration, in the order in which `apply` finds them.
  ///
  /// - Complexity: O(*n*) in the rows of mirroring.
  package func obstacles(
    to request: MigrationRequest, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [MirroringObstacle] {
    let counts = try rowCounts(connection)
    var obstacles: [MirroringObstacle] = request.mirroring == .carry ? [] : [.notRequested]
    if request.rows == .deliverable { obstacles.append(.deliverableRows) }
    for (name, entity) in route.lineage.entities.sorted(by: { $0.key < $1.key }) {
      guard let source = entity.source, source != name, let rows = counts[source] else { continue }
      obstacles.append(.renamed(entity: source, to: name, rows: rows))
    }
    for removed in Set(route.lineage.removedRows.compactMap(\.source)).sorted() {
      let rows = counts.filter { route.source.model.inherits($0.key, from: removed) }
        .reduce(0) { $0 + $1.value }
      if rows > 0 { obstacles.append(.removed(entity: removed, rows: rows)) }
    }
    let parts = route.lineage.entities.values.compactMap { $0.split?.owner }
    for changed in Set(parts + route.lineage.inlines.map(\.part)).sorted() {
      let rows = counts.filter { route.source.model.inherits($0.key, from: changed) }
        .reduce(0) { $0 + $1.value }
      if rows > 0 { obstacles.append(.restructured(entity: changed, rows: rows)) }
    }
    for table in tables {
      let rows = try table.strayRows(layout, schema: "main", connection)
      if rows > 0 { obstacles.append(.stray(table: table.name, rows: rows)) }
    }
    return obstacles
  }

  /// Throws the first reason against the migration.
  package func check(
    _ request: MigrationRequest, typed path: String, _ connection: borrowing Connection
  ) throws {
    if let obstacle = try obstacles(to: request, connection).first {
      throw VersionError.mirrored(path, obstacle)
    }
  }

  /// Returns the numbers of rows about each entity of the source, in all tables of mirroring.
  package func rowCounts(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [String: Int64] {
    var counts: [String: Int64] = [:]
    for table in tables {
      let rows = try connection.rows(
        "SELECT ZENTITYID, count(*) FROM \(qualified(table.name, in: "main")) GROUP BY 1")
      for row in rows {
        guard let number = row[0].int64, let name = layout.numbering.name(of: Int(number)) else {
          continue
        }
        counts[name, default: 0] += row[1].int64 ?? 0
      }
    }
    return counts
  }

  private var tables: [StoreDescription.TableDescription] {
    store.mirroringTables.filter { $0.mirroredEntityPlace != nil }
  }
}
