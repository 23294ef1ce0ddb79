/// Why an app can't open a store, or doesn't find its rows there.
package struct Diagnosis: Hashable, Sendable {
  /// One cause.
  package struct Cause: Hashable, Sendable {
    package let code: CauseCode

    /// The cause in a sentence: lowercase, without a final period, without values of rows.
    package let sentence: String

    /// What the app's log likely shows.
    package var errors: [AppleError] = []

    /// What the cause is concluded from.
    package var evidence: [String] = []

    /// What to do next.
    package var next: [NextStep] = []
  }

  /// Something to do.
  package enum NextStep: Hashable, Sendable {
    /// The words of a command of this tool.
    case command([String])

    /// Anything else, in a sentence: lowercase, without a final period.
    case advice(String)
  }

  /// The path of the store's main file.
  package let path: String

  /// The causes, the first of which explains most; empty if nothing was found.
  package let causes: [Cause]

  /// What wasn't checked, or can't be known from the files.
  package let notes: [String]

  /// Whether the tables and their rows were checked, which takes a model.
  package let checksTables: Bool

  init(path: String, causes: [Cause], notes: [String], checksTables: Bool = false) {
    self.path = path
    self.notes = notes
    self.checksTables = checksTables
    let ranks = CauseCode.allCases
    // Sorting is stable by the index, so causes of one code keep their order.
    self.causes = causes.enumerated().sorted { one, other in
      let rank = { (cause: Cause) in ranks.firstIndex(of: cause.code) ?? ranks.count }
      return (rank(one.element), one.offset) < (rank(other.element), other.offset)
    }.map(\.element)
  }
}
