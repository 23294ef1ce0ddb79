package import SQLite
import Migrations
import RowRewriting

/// The rows of an outbox that weren't written, each with what became of it.
///
/// They stand in a temporary table of the connection, by key.
package struct DeliveryFates: ~Copyable {
  private var insertion: Statement

  /// What became of a row that wasn't written.
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

  /// Enters a row that isn't written.
  ///
  /// - Returns: Whether it isn't.
  package mutating func take(_ outcome: OutboxOutcome, of key: Int64) throws(SQLiteError) -> Bool {
    guard let fate = outcome.fate else { return false }
    try insertion.bind([.integer(key), .text(fate.word), fate.other.map { .integer($0) } ?? .null])
    try insertion.run()
    return true
  }
}

extension DeliveryFates.Fate {
  /// What became of the row, in one word: the reason, of one that is kept out.
  package var word: String {
    switch self {
    case .quarantined(let reason): reason.rawValue
    case .cancelled: "cancelled"
    case .folded: "folded"
    }
  }

  /// The key of the row that it is cancelled with or folded into.
  package var other: Int64? {
    switch self {
    case .quarantined: nil
    case .cancelled(let key), .folded(let key): key
    }
  }

  /// The fate in the row that ``DeliveryFates/query`` is at; none if the table isn't this type's.
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

extension OutboxOutcome {
  /// What becomes of a row that isn't written; none of one that is.
  package var fate: DeliveryFates.Fate? {
    switch self {
    case .delivered, .kept: nil
    case .quarantined(let reason): .quarantined(reason)
    case .cancelled(let key): .cancelled(with: key)
    case .folded(let key): .folded(into: key)
    }
  }
}
