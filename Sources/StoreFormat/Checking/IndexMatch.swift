/// The indexes of a store that serve the indexes of a layout.
///
/// An index of the store serves at most one of the layout, because a model can ask for several
/// indexes on the same columns. An index with the right name goes first. Then any index on the
/// columns will do: Core Data keeps indexes under outdated names (`StoreFormat.md` §14.4).
package struct IndexMatch {
  /// The layout's indexes that no index of the store serves, in the layout's order.
  package let missing: [IndexLayout]

  /// The names of the store's indexes that serve one of the layout.
  package let serving: Set<String>

  /// Matches the indexes of a layout with those of a store.
  ///
  /// - Complexity: O(*n*) in the number of indexes, unless many have the same columns.
  package init(of wanted: [IndexLayout], in found: [StoreDescription.IndexDescription]) {
    var free = Dictionary(grouping: found) { Self.key($0.table, $0.columns) }
    var serving: Set<String> = []
    func take(_ index: IndexLayout, where fits: (StoreDescription.IndexDescription) -> Bool) -> Bool
    {
      let key = Self.key(index.table, index.columns)
      guard let place = free[key]?.firstIndex(where: { $0.serves(index) && fits($0) }),
        let taken = free[key]?.remove(at: place)
      else { return false }
      serving.insert(taken.name)
      return true
    }
    var rest = wanted.filter { index in !take(index) { $0.name.isSame(as: index.name) } }
    // A unique index is left to those who need one as long as there is another.
    rest = rest.filter { index in !take(index) { $0.isUnique == index.isUnique } }
    missing = rest.filter { index in !take(index) { _ in true } }
    self.serving = serving
  }

  private static func key(_ table: String, _ columns: [String]) -> String {
    ([table] + columns.sorted()).joined(separator: ",").uppercased()
  }
}

extension StoreDescription.IndexDescription {
  /// Returns whether the index serves the purpose of an index of the model on the same columns.
  ///
  /// For a unique index, the column order doesn't matter: old systems wrote an inline `UNIQUE`
  /// instead.
  fileprivate func serves(_ index: IndexLayout) -> Bool {
    if index.isUnique { return isUnique }
    return columns.count == index.columns.count
      && zip(columns, index.columns).allSatisfy(String.isSame)
  }
}

extension String {
  fileprivate func isSame(as other: String) -> Bool { lowercased() == other.lowercased() }

  fileprivate static func isSame(_ left: String, _ right: String) -> Bool { left.isSame(as: right) }
}
