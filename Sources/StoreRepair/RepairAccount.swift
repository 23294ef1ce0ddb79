import SQLite
import StoreFormat

/// What a repair writes, for its report and for the proof.
struct RepairAccount: Hashable {
  var mends: [Mend] = []
  var losses: [RepairLoss] = []
  var notes: [String] = []

  /// The number of removed rows, by table.
  var removed: [String: Int64] = [:]

  /// The number of changed values in rows that stay, by table and column.
  var changed: [String: [String: Int64]] = [:]

  /// The tables that were written again because they had no primary key.
  var rebuilt: Set<String> = []

  /// The number of rows with a new key, by table.
  var renewed: [String: Int64] = [:]

  /// Whether every row was written again, because pages are damaged.
  var isWrittenAgain = false

  /// The damaged tables.
  var damaged: [SalvagedTable] = []

  /// The most keys that a report names.
  static let keyLimit = 10

  mutating func add(
    _ kind: Mend.Kind, _ name: String, count: Int64 = 0, keys: [Int64] = [], _ sentence: String
  ) {
    mends.append(Mend(kind: kind, name: name, count: count, keys: keys, sentence: sentence))
  }

  mutating func lose(
    _ name: String, count: Int64?, keys: [Int64] = [], _ sentence: String
  ) {
    losses.append(RepairLoss(name: name, count: count, keys: keys, sentence: sentence))
  }

  mutating func noteChange(_ table: String, _ column: String, _ count: Int64) {
    if count > 0 {
      changed[table.uppercased(), default: [:]][column.uppercased(), default: 0] += count
    }
  }

  mutating func noteRemoval(_ table: String, _ count: Int64) {
    if count > 0 { removed[table.uppercased(), default: 0] += count }
  }
}

extension Connection {
  /// Returns the number of rows that meet a condition, and the keys of the first ten.
  ///
  /// In the condition, `t` is the table.
  func found(
    in table: String, where condition: String
  ) throws(SQLiteError) -> (count: Int64, keys: [Int64]) {
    let source = "\(quoteIdentifier(table)) AS t WHERE \(condition)"
    let count = try value("SELECT count(*) FROM \(source)")?.int64 ?? 0
    guard count > 0 else { return (0, []) }
    let keys = try rows(
      "SELECT t.Z_PK FROM \(source) ORDER BY t.Z_PK LIMIT \(RepairAccount.keyLimit)"
    ).compactMap { $0[0].int64 }
    return (count, keys)
  }
}
