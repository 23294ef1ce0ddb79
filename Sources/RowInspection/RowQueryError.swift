package import StoreMigration

/// A reason why rows can't be shown.
package enum RowQueryError: Error, Hashable, Sendable {
  /// The store can't be read, or doesn't have the row or the entity.
  case store(MigrationError)

  /// A text isn't a condition; the reason is lowercase, without a final period.
  case badCondition(String, reason: String)

  /// The condition reads what the tool never shows.
  case secretCondition(String)

  /// The condition has no result for a row.
  ///
  /// SQLite's message isn't part of the error, because it may quote a value.
  case failingCondition(entity: String, key: Int64)
}

extension RowQueryError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .store(let error): error.description
    case .badCondition(let text, let reason):
      "'\(text)' isn't a condition: \(reason); write SQL over the entity's attributes, such as "
        + "\"status = 'pending'\""
    case .secretCondition(let name):
      "the condition names a secret, '\(name)'; the number of rows would confirm a guess, so the tool "
        + "doesn't evaluate it"
    case .failingCondition(let entity, let key):
      "the condition has no result for \(entity)/\(key), whose value a function can't read; "
        + "exclude such rows, for example with 'CASE WHEN json_valid(payload) THEN … END'"
    }
  }
}
