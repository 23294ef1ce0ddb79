package import StoreModel

/// The rules of a model that needn't be checked again, because neither they nor the rows changed.
///
/// A migration leaves some tables on their pages, which are proven to be the old store's. Such a row
/// breaks a rule of the target exactly if it broke the same rule of the source: a failure that the
/// store had before.
package struct KeptRules: Sendable {
  /// A rule about the rows or links of a table.
  struct Rule: Hashable, Sendable {
    let table: String

    /// The conditions, as SQL, or the names of columns and tables.
    let words: [String?]
  }

  /// The tables whose rows are the old store's.
  let tables: Set<String>

  /// The rules that the source and the target have.
  let rules: Set<Rule>

  /// Whether entities have the same numbers in both models, as far as history knows them.
  let hasSameHistory: Bool

  /// Compares the rules of two models.
  ///
  /// - Parameters:
  ///   - tables: The tables whose rows are the old store's.
  ///   - source: The old store with its model.
  ///   - target: The new store with its model.
  package init(
    of tables: Set<String>, from source: (StoreDescription, Model),
    to target: (StoreDescription, Model)
  ) {
    let before = RowCheck(source.0, model: source.1)
    let after = RowCheck(target.0, model: target.1)
    self.tables = tables
    rules = before.rules.intersection(after.rules)
    hasSameHistory =
      before.layout.numbering.names.count == after.layout.numbering.names.count
      && tables.contains(HistoryTables.changes)
  }
}

extension RowCheck {
  /// What the rows and links of all tables are checked by.
  fileprivate var rules: Set<KeptRules.Rule> {
    Set(
      layout.tables.flatMap { linkRules(of: $0) + [rowRule(of: $0)].compactMap(\.self) }
        + layout.joinTables.flatMap { linkRules(of: $0) })
  }
}
