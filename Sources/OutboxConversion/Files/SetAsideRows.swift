package import SQLite

/// The rows of an outbox that weren't written, each with its fate.
///
/// They are in a temporary table of the connection, by key.
package struct SetAsideRows: ~Copyable {
  private var insertion: Statement

  /// The fate of a row that wasn't written.
  package enum Fate: Hashable, Sendable {
    case quarantined(QuarantineReason)
    case cancelled(with: Int64)
    case folded(into: Int64)
  }

  /// The query of the keys with their fates, in the order of keys.
  package static let query = "SELECT key, word, other FROM temp.delivery_fates ORDER BY key"

  package init(_ connection: borrowing Connection) throws(SQLiteError) {
    try connection.execute("DROP TABLE IF EXISTS temp.delivery_fates")
    try connection.execute(
      """
      CREATE TEMP TABLE delivery_fates (key INTEGER PRIMARY KEY, word TEXT, other INTEGER)
      """)
    insertion = try connection.prepare(
      "INSERT INTO temp.delivery_fates VALUES (?1, ?2, ?3)", isPersistent: true)
  }

  /// Adds a row that isn't written.
  package mutating func insert(_ fate: Fate, of key: Int64) throws(SQLiteError) {
    try insertion.bind([.integer(key), .text(fate.word), fate.other.map { .integer($0) } ?? .null])
    try insertion.run()
  }
}

extension SetAsideRows.Fate {
  /// The fate in one word; for a row in quarantine, the reason.
  package var word: String {
    switch self {
    case .quarantined(let reason): reason.rawValue
    case .cancelled: "cancelled"
    case .folded: "folded"
    }
  }

  /// The key of the row that this row is cancelled with or folded into.
  package var other: Int64? {
    switch self {
    case .quarantined: nil
    case .cancelled(let key), .folded(let key): key
    }
  }

  /// Reads the fate in the current row of ``SetAsideRows/query``; `nil` if its word is unknown.
  package init?(_ row: borrowing Statement) {
    let word = row.string(at: 1) ?? ""
    switch word {
    case "cancelled": self = .cancelled(with: row.int64(at: 2))
    case "folded": self = .folded(into: row.int64(at: 2))
    default:
      guard let reason = QuarantineReason(rawValue: word) else { return nil }
      self = .quarantined(reason)
    }
  }
}
