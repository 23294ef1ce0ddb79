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

  /// The first refused rows of the table with this one, in the order of their keys, if several are.
  private var others: [RowError] = []

  /// The number of refused rows of the table.
  package private(set) var count: Int64 = 1

  /// The keys of the first refused rows of the table, in ascending order.
  package var keys: [Int64] { others.isEmpty ? [key] : others.map(\.key) }

  /// The maximum number of rows in a message.
  static let listLimit = 10

  package init(entity: String, key: Int64, attribute: String, reason: String) {
    self.entity = entity
    self.key = key
    self.attribute = attribute
    self.reason = reason
  }
}

extension RowError {
  /// Returns the error for several rows of the table, the first of which this one is about.
  func listing(_ rows: [RowError], of count: Int64) -> RowError {
    guard count > 1 else { return self }
    var error = self
    (error.others, error.count) = (rows, count)
    return error
  }

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
    if count == 1 { return "\(line); correct the row in the app, then try again" }
    let rest = count - Int64(others.count)
    let lines = others.map(\.line) + (rest > 0 ? ["and \(rest) more"] : [])
    return "\(count) rows can't be migrated; correct them in the app, then try again: "
      + lines.joined(separator: "; ")
  }

  private var line: String { "\(entity)/\(key): '\(attribute)' \(reason)" }
}
