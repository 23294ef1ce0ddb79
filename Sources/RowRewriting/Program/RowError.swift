import Migrations

/// The refusal of a value that can't be carried to the new store.
package struct RowError: Error, Hashable, Sendable {
  /// The row's entity.
  package let entity: String

  /// The row's primary key.
  package let key: Int64

  /// The attribute whose value is refused.
  package let attribute: String

  /// What is wrong with the value, without the value.
  package let reason: String

  package init(entity: String, key: Int64, attribute: String, reason: String) {
    self.entity = entity
    self.key = key
    self.attribute = attribute
    self.reason = reason
  }
}

extension RowError {
  /// The refusal that an error is; throws any other error.
  package init(refusalIn error: any Error) throws {
    guard let refusal = error as? RowError else { throw error }
    self = refusal
  }

  /// The refusal of the row with the lesser key.
  package static func first(_ one: RowError?, _ other: RowError?) -> RowError? {
    guard let one, let other else { return one ?? other }
    return one.key <= other.key ? one : other
  }
}

extension RowError: CustomStringConvertible {
  package var description: String {
    "\(entity)/\(key): '\(attribute)' \(reason); correct the row in the app, then try again"
  }
}
