/// A decision that two models don't determine about the migration between them.
package struct OpenQuestion: Hashable, Sendable {
  /// The entity or property.
  package let object: String

  /// Why a decision is needed.
  package let reason: String
}
