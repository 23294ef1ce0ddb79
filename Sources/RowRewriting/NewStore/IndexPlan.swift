package import StoreFormat

/// The indexes of a new store: those that are copied with their tables, and those that are made.
package struct IndexPlan: Hashable, Sendable {
  /// The indexes of the target that no copied table brings, in the order in which they are made.
  package let made: [IndexLayout]

  /// The made indexes whose table is copied: a plan has no other word about them.
  package let added: [IndexLayout]

  /// The names of the store's indexes that aren't copied with their tables.
  private let dropped: Set<String>

  /// Plans the indexes of a program's target.
  package init(of program: StoreProgram, in store: StoreDescription) {
    let carried = Set(
      program.actions.compactMap { action in
        if case .carry(let name) = action { name.lowercased() } else { nil }
      })
    func isCarried(_ table: String) -> Bool { carried.contains(table.lowercased()) }
    let (source, target) = (program.sourceLayout.allIndexes, program.targetLayout.allIndexes)
    let found = store.indexes.filter { isCarried($0.table) }
    let before = IndexMatch(of: source.filter { isCarried($0.table) }, in: found)
    // An index that only the source's model has serves no other of the target on its columns.
    let gone = Set(Set(source).subtracting(target).map { $0.name.lowercased() })
    let after = IndexMatch(
      of: target.filter { isCarried($0.table) },
      in: found.filter { !gone.contains($0.name.lowercased()) })
    added = after.missing
    let missing = Set(after.missing)
    made = target.filter { !isCarried($0.table) || missing.contains($0) }
    // An index of nobody can have the name of one that is made.
    let names = Set(made.map { $0.name.lowercased() })
    let strays = found.map(\.name).filter {
      names.contains($0.lowercased()) && !after.serving.contains($0)
    }
    dropped = before.serving.subtracting(after.serving).union(strays)
  }

  /// Returns whether an index of the store is copied with its table.
  func copies(_ index: StoreDescription.IndexDescription) -> Bool {
    !dropped.contains(index.name)
  }
}
