/// What a pass over the rows of one table counted.
package struct Tally: Hashable, Sendable {
  /// The rows read.
  package internal(set) var rows: Int64 = 0

  /// For each of the program's conversions, how many rows are of each class.
  package internal(set) var classes: [Int: [String: Int64]] = [:]

  /// How many values each drop would lose, in the order of the program's drops.
  package internal(set) var losses: [Int64]

  /// How many of those name another row than the relationship leads to, in the order of the drops.
  package internal(set) var disagreements: [Int64]

  /// How many of those name no row, and the relationship leads nowhere, in the order of the drops.
  package internal(set) var strangers: [Int64]

  /// What became of the rows of an outbox that are written in the form which the app sends.
  package internal(set) var delivery: DeliveryCounts?

  /// How many values need an option that wasn't given.
  package internal(set) var missingOptions: [MigrationOption: Int64] = [:]

  init(_ program: RowProgram) {
    losses = program.drops.map { _ in 0 }
    disagreements = losses
    strangers = losses
  }

  /// Adds what was counted of other rows of the same table.
  mutating func add(_ other: Tally) {
    rows += other.rows
    classes.merge(other.classes) { $0.merging($1, uniquingKeysWith: +) }
    losses = zip(losses, other.losses).map(+)
    disagreements = zip(disagreements, other.disagreements).map(+)
    strangers = zip(strangers, other.strangers).map(+)
    missingOptions.merge(other.missingOptions, uniquingKeysWith: +)
    if let counted = other.delivery {
      delivery = delivery ?? DeliveryCounts()
      delivery?.add(counted)
    }
  }
}
