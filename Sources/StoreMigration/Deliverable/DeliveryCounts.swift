/// How many rows of an outbox became what, where they are written in the form which the app sends.
public struct DeliveryCounts: Hashable, Sendable {
  /// The rows read.
  public internal(set) var rows: Int64 = 0

  /// Rows that are written.
  public internal(set) var delivered: Int64 = 0

  /// Those of them that are history: the app doesn't send them again.
  public internal(set) var completed: Int64 = 0

  /// Those of them that the V7 app itself wrote, and that are carried as they are but for what is mended.
  public internal(set) var kept: Int64 = 0

  /// Those of the kept in which something was mended, so that the app sends them well.
  public internal(set) var mended: Int64 = 0

  /// Rows that were being processed, which the app would never take up again, and are pending now.
  public internal(set) var resumed: Int64 = 0

  /// Rows that are kept out, by the reason.
  public internal(set) var quarantined: [QuarantineReason: Int64] = [:]

  /// Rows that another takes back.
  public internal(set) var cancelled: Int64 = 0

  /// Rows that another sends too.
  public internal(set) var folded: Int64 = 0

  /// Rows in quarantine whose payload holds a password or a token.
  public internal(set) var secrets: Int64 = 0

  public init() {}

  /// The rows that are kept out.
  public var quarantinedRows: Int64 { quarantined.values.reduce(0, +) }

  /// A Boolean value indicating whether every row is accounted for.
  public var addsUp: Bool { delivered + quarantinedRows + cancelled + folded == rows }
}
