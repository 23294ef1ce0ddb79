import JSONText

/// Rows of an entity that a migration deletes.
package struct RowDeletion: Hashable, Sendable {
  /// The entity, by its name before the step.
  package let entity: String

  /// A row is deleted if the formula is true for it: neither 0 nor NULL.
  package let condition: Formula

  /// The reason, for people.
  package let reason: String
}

extension RowDeletion {
  init(_ target: StepObject, _ object: JSONObject) throws(JSONError) {
    self.init(
      entity: try target.entityAlone, condition: try Formula(object.required("where")),
      reason: try object.required("because").string)
  }
}
