import Migrations
import RowRewriting
import OutboxConversion

/// What became of the values of one property of the source, as the rows of both stores prove it.
///
/// Every value is in exactly one of the counts, so they add up to the rows.
package struct LedgerEntry: Hashable, Sendable {
  /// The entity, in the source's names: the root of its table.
  package let entity: String

  /// The property.
  package let property: String

  /// The values read.
  package var rows: Int64 = 0

  /// Values that stand in the target bit for bit.
  package var identical: Int64 = 0

  /// Values in another form that were converted back to the same value.
  package var converted: Int64 = 0

  /// JSON texts that lost insignificant white space and nothing else.
  package var normalised: Int64 = 0

  /// The bytes of white space that they lost.
  package var whitespaceBytes: Int64 = 0

  /// Values that have no place in the target: by an accepted loss, or because they say nothing.
  package var setAside: Int64 = 0

  package init(entity: String, property: String) {
    self.entity = entity
    self.property = property
  }

  /// A Boolean value indicating whether every value is accounted for.
  package var addsUp: Bool { identical + converted + normalised + setAside == rows }
}
