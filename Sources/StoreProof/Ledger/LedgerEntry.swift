import StoreFormat

/// The outcomes of the values of one property of the source, proven from the rows of both stores.
///
/// Every value is in exactly one count, so the counts add up to the rows.
public struct LedgerEntry: Hashable, Sendable {
  /// The root entity of the property's table, by its name in the source.
  public let entity: String

  /// The property.
  public let property: String

  /// The number of values read.
  public package(set) var rows: Int64 = 0

  /// The number of values that are in the target bit for bit.
  public package(set) var identical: Int64 = 0

  /// The number of values in another form that convert back to the same value.
  public package(set) var converted: Int64 = 0

  /// The number of numbers that lost precision.
  public package(set) var rounded: Int64 = 0

  /// The number of values outside a converter's range, which became its nearest limit.
  public package(set) var clamped: Int64 = 0

  /// The number of values that others are computed from, which don't restore them.
  public package(set) var computed: Int64 = 0

  /// The number of JSON texts that lost insignificant whitespace and nothing else.
  public package(set) var normalised: Int64 = 0

  /// The number of bytes of whitespace that they lost.
  public package(set) var whitespaceBytes: Int64 = 0

  /// The number of values that aren't in the target: accepted losses and insignificant values.
  public package(set) var setAside: Int64 = 0

  /// The number of the values set aside that were missing, empty or a default, which is no loss.
  public package(set) var setAsideEmpty: Int64 = 0

  package init(entity: String, property: String) {
    self.entity = entity
    self.property = property
  }

  /// Whether the values are Core Data's own, which change as soon as an app opens the store.
  ///
  /// Only the ledger of a new store has them: `verify` leaves them out.
  public var isBookkeeping: Bool {
    property == "Z_OPT" || HistoryTables.tableNames.contains(entity)
  }

  /// Whether every value is accounted for.
  public var addsUp: Bool {
    identical + converted + normalised + rounded + clamped + computed + setAside == rows
  }
}
