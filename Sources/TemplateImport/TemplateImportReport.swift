/// What an import did, or would do; no values.
package struct TemplateImportReport: Hashable, Sendable {
  /// What became of a template.
  package enum Fate: Hashable, Sendable {
    /// It is a new row.
    case imported

    /// The store's row of its id has its values now.
    case updated

    /// The store has its id already, and updates weren't asked for.
    case skipped

    /// It can't be read, or can't be written; the reason names its parts.
    case unreadable(String)
  }

  /// One template of the array.
  package struct Item: Hashable, Sendable {
    /// Its place in the array, from 0.
    package let index: Int
    package let fate: Fate

    /// The key of its row; none for one that can't be read.
    package let key: Int64?

    /// The exercises that were written.
    package let exercises: Int
  }

  /// What an exercise has and V11 has no column for.
  package struct Rest: Hashable, Sendable {
    /// The places of template and exercise, from 0.
    package let template: Int
    package let exercise: Int

    /// The names of the fields.
    package let names: [String]
  }

  /// The templates, in the order of the array.
  package internal(set) var items: [Item] = []

  /// What has no column, of templates that were written.
  package internal(set) var rest: [Rest] = []

  /// The keys that nothing is known of, with the number of times.
  ///
  /// `exercises.` stands before an exercise's.
  package internal(set) var unknownKeys: [String: Int] = [:]

  /// The events that were added.
  package internal(set) var events = 0

  /// The templates that claimed another number of exercises than they have.
  package internal(set) var correctedCounts = 0

  /// The templates that name another user than the one whose profile they are linked to.
  package internal(set) var adopted = 0

  /// The exercises that claimed to belong to another template.
  package internal(set) var reclaimedExercises = 0

  /// The exercises that an update removed, because the template doesn't have them.
  package internal(set) var removedExercises = 0

  /// The templates that were updated although the store's were newer.
  package internal(set) var replacedNewer = 0

  /// Returns how many templates had a fate.
  package func count(_ isMeant: (Fate) -> Bool) -> Int { items.filter { isMeant($0.fate) }.count }

  /// The templates that couldn't be read or written.
  package var unreadable: Int {
    count { if case .unreadable = $0 { true } else { false } }
  }
}
