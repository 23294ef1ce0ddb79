package import OutboxCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension OutboxMetadata {
  /// Creates the metadata of a create or update event of Lume's.
  ///
  /// Returns `nil` if a fact is unknown, because facts are never invented.
  package init?(_ subject: OutboxSubject, _ facts: EntityFacts) {
    switch subject {
    case .mood:
      guard let valence = facts.valence, valence.isFinite, let labels = facts.labels else {
        return nil
      }
      self = .moodEntry(valence: valence, labels: labels)
    case .journal:
      guard let count = facts.wordCount, let link = facts.link else { return nil }
      self = .journalEntry(wordCount: count, linkedMoodID: link.mood.flatMap(UUID.init(bytes:)))
    case .goal:
      guard let title = facts.title, let category = facts.category else { return nil }
      self = .goal(title: title, category: category)
    case .conversation: return nil
    }
  }
}
