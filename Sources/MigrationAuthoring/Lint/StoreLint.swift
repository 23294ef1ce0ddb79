import SQLite
import StoreFormat
import StoreModel
import Migrations

/// Checks what an app's own migrations would do to a store, along the route that this tool takes.
///
/// Every migration is checked with the rows that the store has now, as if the migrations before it
/// had carried all of them. An app that fails at one migration doesn't reach the next.
struct StoreLint {
  let source: ModelVersion

  /// The migrations from the source, in order.
  let migrations: [Migration]

  /// The versions that the migrations lead to.
  let catalog: Catalog

  /// Whether the models alone don't determine the migration.
  let isUndecided: Bool

  /// What keeps the tool from migrating the store instead of the app, in words.
  let unsupported: [String]
  let layout: StoreLayout

  /// An effect of one of the route's migrations.
  private struct Case {
    let place: Int
    let migration: Migration
    let effect: AppMigration.Effect

    /// The store's entity whose rows it concerns.
    let origin: String?

    /// What to count in the store.
    var values: ValueCount?
    var links: [ValueCount] = []
  }

  /// Returns the findings, in the order of migrations and rules.
  func findings(_ connection: borrowing Connection) throws -> [LintFinding] {
    let cases = try cases().sorted { ($0.place, $0.effect.rank) < ($1.place, $1.effect.rank) }
    let questions = Set(cases.flatMap { $0.links + ($0.values.map { [$0] } ?? []) })
    let counts = try ValueCount.counts(questions, connection)
    let rows = try EntityCounts(layout: layout).counts(connection)
    return cases.compactMap { each in
      let found = AppMigration.Counts(
        rows: each.origin.flatMap { rows[$0] } ?? 0,
        values: each.values.flatMap { counts[$0] } ?? 0,
        links: each.links.reduce(0) { $0 + (counts[$1] ?? 0) })
      return each.effect.verdict(found).map { verdict in
        LintFinding(
          verdict.severity, verdict.rule, migration: each.migration.name, object: verdict.object,
          rows: verdict.count, verdict.message, remedy: remedy(for: each))
      }
    }
  }

  /// The version that the app migrates the store to.
  var target: ModelVersion {
    migrations.last.flatMap { catalog.version($0.to, of: source.app) } ?? source
  }

  /// The changes that a production schema of CloudKit can't follow, in the order of migrations.
  var schemaChanges: [LintFinding] {
    var start = source
    return migrations.flatMap { migration -> [LintFinding] in
      guard let next = catalog.version(migration.to, of: source.app) else { return [] }
      defer { start = next }
      return LintFinding.schemaChanges(
        from: start, to: next, by: isUndecided ? nil : migration)
    }
  }

  private func remedy(for each: Case) -> String? {
    guard unsupported.isEmpty else { return nil }
    switch each.effect {
    case .newMandatory, .nowMandatory, .typeChanged, .manyToOne:
      if isUndecided { return "you decide in a migration file; start from 'schema infer'" }
    case .entityDropped, .valuesDropped: break
    }
    return Remedy(each.migration).sentence(for: each.effect)
  }

  private func cases() throws(LineageError) -> [Case] {
    var lineage = Lineage(identityOf: source.model)
    var start = source
    var cases: [Case] = []
    for (place, migration) in migrations.enumerated() {
      guard let target = catalog.version(migration.to, of: source.app) else { break }
      let finder = ValueFinder(source: source.model, layout: layout, lineage: lineage)
      for effect in AppMigration(from: start.model, to: target.model).effects {
        cases.append(makeCase(effect, at: place, migration, start.model, finder))
      }
      if isUndecided { break }
      lineage = try lineage.applying(migration, source: start.model, target: target.model)
      start = target
    }
    return cases
  }

  private func makeCase(
    _ effect: AppMigration.Effect, at place: Int, _ migration: Migration, _ model: Model,
    _ finder: ValueFinder
  ) -> Case {
    var each = Case(
      place: place, migration: migration, effect: effect,
      origin: finder.lineage.entities[effect.entity]?.source)
    switch effect {
    case .entityDropped(let name):
      each.links = model.entities.flatMap { entity in
        entity.relationships.filter { $0.destinationName == name && !$0.isToMany }.compactMap {
          finder.count(of: PropertyPath(entity: entity.name, property: $0.name))
        }
      }
    case .valuesDropped(let path), .typeChanged(let path, _, _):
      each.values = finder.count(of: path)
    case .nowMandatory(let path): each.values = finder.count(of: path, countsNull: true)
    case .newMandatory, .manyToOne: break
    }
    return each
  }
}

extension AppMigration.Effect {
  /// The entity, in the older model.
  fileprivate var entity: String {
    switch self {
    case .entityDropped(let name), .newMandatory(let name, _): name
    case .valuesDropped(let path), .nowMandatory(let path), .typeChanged(let path, _, _),
      .manyToOne(let path):
      path.entity
    }
  }

  /// The order of effects: those that keep the app from opening the store come first.
  fileprivate var rank: Int {
    switch self {
    case .newMandatory, .nowMandatory: 0
    case .typeChanged, .manyToOne: 1
    case .entityDropped: 2
    case .valuesDropped: 3
    }
  }
}
