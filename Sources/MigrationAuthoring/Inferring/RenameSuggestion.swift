import SQLite
import Migrations

/// A pair of properties that may be one, and how strongly names and values suggest it.
struct RenameSuggestion {
  let pair: PossibleRename

  /// Whether at least half of the sampled new values are old ones, too.
  let hasLikeValues: Bool

  /// 0 if nothing suggests the rename; like values count more than similar names.
  private var strength: Int { (hasLikeValues ? 2 : 0) + (pair.hasSimilarNames ? 1 : 0) }

  private init(
    _ pair: PossibleRename, _ old: [PropertyPath: StoreFacts.Values]?,
    _ new: [PropertyPath: StoreFacts.Values]?
  ) {
    self.pair = pair
    let before = old?[pair.old]?.sample ?? []
    // Any two properties may have these in common.
    let after = (new?[pair.new]?.sample ?? []).subtracting([.integer(0), .integer(1)])
    hasLikeValues = !after.isEmpty && before.intersection(after).count * 2 >= after.count
  }

  /// Returns the suggested renames, the strongest ones; each property is in at most one.
  static func best(
    of pairs: [PossibleRename], _ old: [PropertyPath: StoreFacts.Values]?,
    _ new: [PropertyPath: StoreFacts.Values]?
  ) -> [PossibleRename] {
    let suggestions = pairs.map { RenameSuggestion($0, old, new) }.filter { $0.strength > 0 }
    var used: Set<PropertyPath> = []
    var best: [PossibleRename] = []
    // Sorting is stable: equally strong suggestions stay in the order of the models.
    for suggestion in suggestions.sorted(by: { $0.strength > $1.strength }) {
      let pair = suggestion.pair
      guard !used.contains(pair.old), !used.contains(pair.new) else { continue }
      // An entity that keeps its name has one path for an old and a new property.
      used.formUnion([pair.old, pair.new])
      best.append(pair)
    }
    return best
  }
}
