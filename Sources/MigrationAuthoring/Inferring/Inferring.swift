import SQLite
import StoreModel
import StoreFormat
package import Migrations
package import StoreMigration

extension StoreMigrator {
  /// Infers a migration from two versions, and reads from their stores what each decision concerns.
  ///
  /// - Parameters:
  ///   - source: The version to start from.
  ///   - store: The path of a store at that version, or `nil`.
  ///   - target: The version to reach.
  ///   - newStore: The path of a store at the target version, or `nil`.
  ///   - showsValues: Whether examples of tables name the distinct values of the old store.
  /// - Returns: The migration, its decisions, and the renames that names or values suggest.
  /// - Throws: A ``MigrationError`` if a store can't be read, or if only the app can migrate it.
  /// - Complexity: O(n log n) in the number of rows, in constant memory.
  package func draft(
    from source: ModelVersion, at store: String?, to target: ModelVersion, at newStore: String?,
    showsValues: Bool = false
  ) throws(MigrationError) -> DraftedMigration {
    let inferred = try supportedMigration(from: source, to: target)
    let old = try store.map { path throws(MigrationError) in
      try facts(of: path, source) { facts, connection in
        (
          rows: try facts.rows(
            of: inferred.openQuestions + inferred.uniquenessQuestions, connection),
          proposals: try facts.proposals(
            for: inferred.openQuestions, showsValues: showsValues, connection),
          values: try facts.values(of: inferred.possibleRenames.map(\.old), connection),
          drops: try facts.counts(of: inferred.drops, connection)
        )
      }
    }
    let new = try newStore.map { path throws(MigrationError) in
      try facts(of: path, target) { facts, connection in
        try facts.values(of: inferred.possibleRenames.map(\.new), connection)
      }
    }
    let renames = RenameSuggestion.best(of: inferred.possibleRenames, old?.values, new)
    let broken = inferred.uniquenessQuestions.filter { (old?.rows[$0] ?? 0) > 0 }
    return DraftedMigration(
      migration: inferred.migration,
      decisions: (inferred.openQuestions + broken).map { question in
        let rename = renames.first { $0.new.description == question.object }
        let proposal = old?.proposals[question] ?? question
        let clauses = [proposal.hint, rename.map { "it may be '\($0.old.property)', renamed" }]
        return .init(
          question: clauses.compactMap(\.self).reduce(proposal) { $0.adding($1) },
          rows: old?.rows[question])
      },
      renames: renames.map { .init(properties: $0, values: old?.values[$0.old]?.count) },
      drops: inferred.drops.map { .init(object: $0.object, count: old?.drops[$0]) },
      warnings: [store, newStore].compactMap(\.self).flatMap { StoreFiles.warnings(about: $0) }
        + Self.warnings(from: source, to: target))
  }

  /// Returns the warning about a file that keeps no row, and is probably between two apps.
  private static func warnings(
    from source: ModelVersion, to target: ModelVersion
  ) -> [PlanWarning] {
    guard !target.model.hasEntities(of: source.model) else { return [] }
    return [
      PlanWarning(
        code: "keeps-nothing", rows: 0,
        message:
          "no entity of '\(source.name)' is in '\(target.name)', so the file drops every row: check "
          + "that both are models of one app, and write a 'rename' for each entity that was renamed"
      )
    ]
  }

  private func supportedMigration(
    from source: ModelVersion, to target: ModelVersion
  ) throws(MigrationError) -> InferredMigration {
    do throws(VersionError) {
      return try InferredMigration.possible(from: source, to: target)
    } catch {
      throw MigrationError(.version(error))
    }
  }

  private func facts<Result>(
    of path: String, _ version: ModelVersion,
    _ body: (StoreFacts, borrowing Connection) throws -> Result
  ) throws(MigrationError) -> Result {
    try reported(path) {
      let inspection = try StoreInspection(path: path, catalog: catalog)
      let facts = StoreFacts(version.model, tableNames: inspection.store.tableNames)
      return try inspection.reading { try body(facts, inspection.connection) }
    }
  }
}
