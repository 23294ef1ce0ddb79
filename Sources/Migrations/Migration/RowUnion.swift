import JSONText

/// Rows of an entity that a migration unites: of those with equal values, one stays.
package struct RowUnion: Hashable, Sendable {
  /// Which of several equal rows stays; of those that are alike in this too, the lowest key.
  package enum Keep: Hashable, Sendable {
    /// The row with the lowest key.
    case first

    /// The row with the largest value; a row without a value comes last.
    case newest(Formula)

    /// The row with the smallest value; a row without a value comes last.
    case oldest(Formula)
  }

  /// What becomes of the links to rows that don't stay.
  package enum Links: String, CaseIterable, Hashable, Sendable {
    /// They lead to the row that stays.
    case merge

    /// They become NULL.
    case nullify
  }

  /// Which texts are equal.
  package enum Comparison: String, CaseIterable, Hashable, Sendable {
    /// Texts with the same bytes.
    case exact

    /// Texts that differ in the case of the letters A to Z only: SQLite's NOCASE.
    case caseInsensitive = "case-insensitive"
  }

  /// The entity, by its name before the step.
  package let entity: String

  /// The formulas whose values must all be equal; NULL equals nothing.
  package let by: [Formula]
  package let keep: Keep
  package let links: Links
  package let comparison: Comparison
}

extension RowUnion {
  init(_ target: StepObject, _ object: JSONObject) throws(JSONError) {
    self.init(
      entity: try target.entityAlone, by: try object.required("by").formulas,
      keep: try Keep(object.required("keep")),
      links: try object.optional("links")?.name(as: Links.self) ?? .merge,
      comparison: try object.optional("compare")?.name(as: Comparison.self) ?? .exact)
  }
}

extension RowUnion.Keep {
  init(_ node: JSONNode) throws(JSONError) {
    let text = try node.string
    let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    switch (words.first, words.count) {
    case ("first", 1): self = .first
    case ("newest", 2): self = .newest(Formula(String(words[1]), node: node, skipping: 7))
    case ("oldest", 2): self = .oldest(Formula(String(words[1]), node: node, skipping: 7))
    default:
      throw node.error("'\(text)' names no row; write 'first', 'newest NAME' or 'oldest NAME'")
    }
  }

  /// The text in a migration file.
  package var text: String {
    switch self {
    case .first: "first"
    case .newest(let formula): "newest \(formula.text)"
    case .oldest(let formula): "oldest \(formula.text)"
    }
  }

  /// The formula by whose values rows are ordered; `nil` if only their keys count.
  var formula: Formula? {
    switch self {
    case .first: nil
    case .newest(let formula), .oldest(let formula): formula
    }
  }
}

extension JSONNode {
  /// The formulas in an array, of which there is one at least.
  var formulas: [Formula] {
    get throws(JSONError) {
      var formulas: [Formula] = []
      for node in try array { formulas.append(try Formula(node)) }
      guard !formulas.isEmpty else { throw error("the array is empty; give formulas") }
      return formulas
    }
  }
}
