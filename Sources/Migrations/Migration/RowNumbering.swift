import JSONText

/// Numbers that a migration gives to the rows of an entity, in an order.
package struct RowNumbering: Hashable, Sendable {
  /// The formulas by whose values rows are ordered; those that are alike are ordered by key.
  package let by: [Formula]

  /// The first number.
  package let start: Int64

  /// The formula whose values share a sequence; `nil` if there is one for all rows.
  package let within: Formula?
}

extension RowNumbering {
  init(_ object: JSONObject) throws(JSONError) {
    self.init(
      by: try object.required("by").formulas, start: try object.optional("from")?.integer ?? 0,
      within: try object.optional("within").map { (node) throws(JSONError) in try Formula(node) })
  }
}
