/// What a pass over the rows of one table counted.
public struct Tally: Hashable, Sendable {
  /// The rows read.
  public internal(set) var rows: Int64 = 0

  /// For each column of the target with a conversion, how many values are of each class.
  public internal(set) var classes: [Int: [String: Int64]] = [:]

  /// How many values each drop would lose, in the order of the program's drops.
  public internal(set) var losses: [Int64]

  /// How many values need an option that wasn't given.
  public internal(set) var missingOptions: [MigrationOption: Int64] = [:]

  init(_ program: RowProgram) {
    losses = program.drops.map { _ in 0 }
  }
}
