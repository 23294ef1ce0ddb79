/// A value that can't be written to the new store.
package struct RowError: Error, Hashable, Sendable {
  /// The row's entity.
  package let entity: String

  /// The row's primary key.
  package let key: Int64

  /// The attribute whose value is refused.
  package let attribute: String

  /// What is wrong; the value isn't part of the text.
  package let reason: String

  package init(entity: String, key: Int64, attribute: String, reason: String) {
    self.entity = entity
    self.key = key
    self.attribute = attribute
    self.reason = reason
  }
}

extension RowError {
  /// Casts an error to a row error; throws an error of any other type.
  package init(refusalIn error: any Error) throws {
    guard let refusal = error as? RowError else { throw error }
    self = refusal
  }

  /// Returns the error of the row with the lower key.
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
