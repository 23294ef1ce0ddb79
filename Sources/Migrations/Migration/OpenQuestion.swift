/// A decision that two models don't determine about the migration between them.
package struct OpenQuestion: Hashable, Sendable {
  /// The rows of a store that a decision concerns, in the names of the source.
  package enum Rows: Hashable, Sendable {
    /// All rows of an entity.
    case all(of: String)

    /// The rows that have a value.
    case having(PropertyPath)

    /// The rows that have no value.
    case lacking(PropertyPath)
  }

  /// The entity or property, in the names of the target.
  package let object: String

  /// Why a decision is needed.
  package let reason: String

  /// The rows that it concerns.
  package let rows: Rows

  /// A step that could be the answer, with placeholders in capitals.
  package let example: String

  /// Returns the question with a clause added to its reason.
  package func adding(_ clause: String) -> OpenQuestion {
    OpenQuestion(object: object, reason: "\(reason); \(clause)", rows: rows, example: example)
  }
}
