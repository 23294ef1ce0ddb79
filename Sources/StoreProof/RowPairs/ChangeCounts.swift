package import StoreFormat

/// Counts the added, changed and removed rows of a table by the numbers of their entities.
package struct ChangeCounts {
  private var counts: [Int64: Counts] = [:]

  private struct Counts {
    var (added, changed, removed): (Int64, Int64, Int64) = (0, 0, 0)
  }

  package init() {}

  package mutating func countAdded(_ number: Int64) { counts[number, default: Counts()].added += 1 }

  package mutating func countChanged(_ number: Int64) {
    counts[number, default: Counts()].changed += 1
  }

  package mutating func countRemoved(_ number: Int64) {
    counts[number, default: Counts()].removed += 1
  }

  /// Returns the counts in the order of the numbers; an unknown number gets the root's name.
  package func changes(in table: Table, of layout: StoreLayout) -> [EntityChange] {
    counts.sorted { $0.key < $1.key }.map { number, counts in
      EntityChange(
        entity: layout.numbering.name(of: Int(number)) ?? table.rootEntity, added: counts.added,
        changed: counts.changed, removed: counts.removed)
    }
  }
}
