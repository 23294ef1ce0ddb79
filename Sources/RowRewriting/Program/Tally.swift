package import Migrations

/// The counts of a pass over the rows of one table.
package struct Tally: Hashable, Sendable {
  /// The number of rows that are written.
  package var rows: Int64 = 0

  /// For each of the program's conversions, the number of rows in each class.
  package var classes: [Int: [String: Int64]] = [:]

  /// For each formula, by its place among the source's columns, the number of rows in each class.
  package var computed: [Int: [String: Int64]] = [:]

  /// For each formula, by its place among the source's columns, the number of rows that it refuses.
  package var refused: [Int: Int64] = [:]

  /// The error for the rows that formulas refuse, which no other count includes.
  package var refusal: RowError?

  /// The number of values that each drop would lose, in the order of the program's drops.
  package var losses: [Int64]

  /// Of those, the number that name another row than the relationship leads to, by drop.
  package var disagreements: [Int64]

  /// Of those, the number that name no row while the relationship has no link, by drop.
  package var unmatched: [Int64]

  /// The number of values that need an option that wasn't given.
  package var missingOptions: [MigrationOption: Int64] = [:]

  package init(_ program: RowProgram) {
    losses = program.drops.map { _ in 0 }
    disagreements = losses
    unmatched = losses
  }

  /// Adds the counts of other rows of the same table.
  package mutating func add(_ other: Tally) {
    rows += other.rows
    classes.merge(other.classes) { $0.merging($1, uniquingKeysWith: +) }
    computed.merge(other.computed) { $0.merging($1, uniquingKeysWith: +) }
    refused.merge(other.refused, uniquingKeysWith: +)
    refusal = .first(refusal, other.refusal)
    losses = zip(losses, other.losses).map(+)
    disagreements = zip(disagreements, other.disagreements).map(+)
    unmatched = zip(unmatched, other.unmatched).map(+)
    missingOptions.merge(other.missingOptions, uniquingKeysWith: +)
  }
}
