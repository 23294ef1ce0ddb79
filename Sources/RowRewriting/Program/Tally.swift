package import Migrations

/// What a pass over the rows of one table counted.
package struct Tally: Hashable, Sendable {
  /// The rows read.
  package var rows: Int64 = 0

  /// For each of the program's conversions, how many rows are of each class.
  package var classes: [Int: [String: Int64]] = [:]

  /// How many values each drop would lose, in the order of the program's drops.
  package var losses: [Int64]

  /// How many of those name another row than the relationship leads to, in the order of the drops.
  package var disagreements: [Int64]

  /// How many of those name no row, and the relationship leads nowhere, in the order of the drops.
  package var strangers: [Int64]

  /// How many values need an option that wasn't given.
  package var missingOptions: [MigrationOption: Int64] = [:]

  package init(_ program: RowProgram) {
    losses = program.drops.map { _ in 0 }
    disagreements = losses
    strangers = losses
  }

  /// Adds what was counted of other rows of the same table.
  package mutating func add(_ other: Tally) {
    rows += other.rows
    classes.merge(other.classes) { $0.merging($1, uniquingKeysWith: +) }
    losses = zip(losses, other.losses).map(+)
    disagreements = zip(disagreements, other.disagreements).map(+)
    strangers = zip(strangers, other.strangers).map(+)
    missingOptions.merge(other.missingOptions, uniquingKeysWith: +)
  }
}
