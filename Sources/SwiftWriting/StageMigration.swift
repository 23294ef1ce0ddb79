package import Migrations

/// The migration between two versions, as a plan is made from it.
package struct StageMigration: Sendable {
  /// The steps, of a migration file or inferred from the two models.
  package let steps: [Step]

  /// What the two models don't determine.
  package let questions: [OpenQuestion]

  package init(steps: [Step], questions: [OpenQuestion] = []) {
    self.steps = steps
    self.questions = questions
  }
}
