/// The result of an import or a dry run, without values.
package struct TemplateImportReport: Hashable, Sendable {
  /// The outcome for a template.
  package enum Fate: Hashable, Sendable {
    /// It was inserted as a new row.
    case imported

    /// Its existing row was updated.
    case updated

    /// Its row exists, and updates weren't requested.
    case skipped

    /// It can't be read or written; the reason names the affected part.
    case unreadable(String)
  }

  /// A template of the array.
  package struct Item: Hashable, Sendable {
    /// The index in the array.
    package let index: Int
    package let fate: Fate

    /// The key of its row, or `nil` if it can't be read.
    package let key: Int64?

    /// The number of exercises written.
    package let exercises: Int
  }

  /// The fields of an exercise that have no column in V11.
  package struct Rest: Hashable, Sendable {
    /// The indices of the template and the exercise.
    package let template: Int
    package let exercise: Int

    /// The names of the fields.
    package let names: [String]
  }

  /// The templates, in array order.
  package internal(set) var items: [Item] = []

  /// The fields without a column, of templates that were written.
  package internal(set) var rest: [Rest] = []

  /// The number of occurrences of each unknown key.
  ///
  /// Keys of exercises have the prefix `exercises.`.
  package internal(set) var unknownKeys: [String: Int] = [:]

  /// The number of events added.
  package internal(set) var events = 0

  /// The number of templates whose exercise count was wrong.
  package internal(set) var correctedCounts = 0

  /// The number of templates that name another user than that of their profile.
  package internal(set) var adopted = 0

  /// The number of exercises that named another template.
  package internal(set) var reclaimedExercises = 0

  /// The number of exercises removed because the updated template doesn't contain them.
  package internal(set) var removedExercises = 0

  /// The number of templates updated although the store's version was newer.
  package internal(set) var replacedNewer = 0

  /// Returns the number of templates with an outcome.
  package func count(_ matches: (Fate) -> Bool) -> Int { items.count { matches($0.fate) } }

  /// The number of templates that couldn't be read or written.
  package var unreadable: Int {
    count { if case .unreadable = $0 { true } else { false } }
  }
}
