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

    /// The rows that uniting equal ones removes: all but one of those with equal values.
    case repeating([PropertyPath], of: String)
  }

  /// The entity or property, in the names of the target.
  package let object: String

  /// Why a decision is needed.
  package private(set) var reason: String

  /// The rows that it concerns.
  package let rows: Rows

  /// A step that could be the answer, with placeholders in capitals.
  package private(set) var example: String

  /// What the step in the example does; `nil` if the reason says enough.
  package var hint: String?

  /// The change of type to decide about; `nil` if the question is another one.
  package var change: AttributeChange?

  /// Returns the question with a clause added to its reason, and with another example if given.
  package func adding(_ clause: String, example: String? = nil) -> OpenQuestion {
    var question = self
    question.reason += "; \(clause)"
    question.example = example ?? self.example
    return question
  }
}
