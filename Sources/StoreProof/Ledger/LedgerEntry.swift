import Migrations
import RowRewriting
import OutboxConversion

/// What became of the values of one property of the source, as the rows of both stores prove it.
///
/// Every value is in exactly one of the counts, so they add up to the rows.
public struct LedgerEntry: Hashable, Sendable {
  /// The entity, in the source's names: the root of its table.
  public let entity: String

  /// The property.
  public let property: String

  /// The values read.
  public package(set) var rows: Int64 = 0

  /// Values that stand in the target bit for bit.
  public package(set) var identical: Int64 = 0

  /// Values in another form that were converted back to the same value.
  public package(set) var converted: Int64 = 0

  /// JSON texts that lost insignificant white space and nothing else.
  public package(set) var normalised: Int64 = 0

  /// The bytes of white space that they lost.
  public package(set) var whitespaceBytes: Int64 = 0

  /// Values that have no place in the target: by an accepted loss, or because they say nothing.
  public package(set) var setAside: Int64 = 0

  package init(entity: String, property: String) {
    self.entity = entity
    self.property = property
  }

  /// A Boolean value indicating whether every value is accounted for.
  public var addsUp: Bool { identical + converted + normalised + setAside == rows }
}
