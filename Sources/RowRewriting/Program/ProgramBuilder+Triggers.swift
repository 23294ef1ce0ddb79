import StoreFormat
import StoreModel

/// The triggers that compute derived attributes: they are carried text for text, or not at all.
extension ProgramBuilder {
  /// Throws if a trigger's text or a derived attribute's definition wouldn't fit the new store.
  ///
  /// See `StoreFormat.md` §16. The definition is part of the entity's hash.
  func checkDerivedAttributes(_ actions: [TableAction]) throws(ProgramError) {
    let derived = source.derivedAttributes + target.derivedAttributes
    guard !derived.isEmpty else { return }
    let (before, after) = (VersionHashes(source).entities, VersionHashes(target).entities)
    let computed = [source, target].map { VersionHashes($0.withoutRecordedHashes).entities }
    for attribute in derived {
      let name = "\(attribute.entityName).\(attribute.attributeName)"
      guard
        target[attribute.entityName] == nil || target.recordedHashes[attribute.entityName] != nil
      else {
        throw .derivedAttribute(
          name, reason: "the target's hashes aren't known; capture its schema from a store")
      }
      guard let hash = before[attribute.entityName], after[attribute.entityName] == hash else {
        throw .derivedAttribute(name, reason: "the definition of '\(attribute.entityName)' changes")
      }
      guard computed[0][attribute.entityName] == computed[1][attribute.entityName] else {
        throw .derivedAttribute(
          name,
          reason:
            "the definition of '\(attribute.entityName)' changes, though its captured hash doesn't")
      }
    }
    for trigger in store.triggers {
      let words = Set(trigger.sql.sqlWords.map { $0.uppercased() })
      if let reason = changed(words, hasNumbers: trigger.sql.comparesEntityNumbers, actions),
        let attribute = derived.first(where: { trigger.name.contains("_\($0.attributeName)_") })
      {
        throw .derivedAttribute(
          "\(attribute.entityName).\(attribute.attributeName)", reason: reason)
      }
    }
  }

  /// Returns why the text of a trigger wouldn't mean the same, or `nil` if it would.
  private func changed(
    _ words: Set<String>, hasNumbers: Bool, _ actions: [TableAction]
  ) -> String? {
    for table in sourceLayout.tables where words.contains(table.name) {
      if hasNumbers, sourceLayout.numbering.names != targetLayout.numbering.names {
        return "the entity numbers in its triggers change"
      }
      let kept = actions.contains { action in
        switch action {
        case .carry(let name): name == table.name
        case .rewrite(let rows): rows.table.name == table.name && rows.keeps(words, of: table)
        case .create, .rejoin: false
        }
      }
      if !kept {
        return "'\(table.name)' doesn't keep its name and the columns that it is derived from"
      }
    }
    for table in sourceLayout.joinTables where words.contains(table.name) {
      let isKept = actions.contains {
        if case .carry(let name) = $0 { name == table.name } else { false }
      }
      if !isKept { return "'\(table.name)' doesn't keep its name and columns" }
    }
    return nil
  }
}

extension RowProgram {
  /// Returns whether every row keeps the columns with these names and their values.
  fileprivate func keeps(_ names: Set<String>, of source: Table) -> Bool {
    sourceTable == source.name && carriesAllRows
      && source.columns.filter { names.contains($0.name) }.allSatisfy { old in
        zip(table.columns, cells).contains { column, cell in
          guard column == old else { return false }
          switch cell {
          case .column(let place): return sourceColumns[place] == .named(old.name)
          case .entityNumber: return old.content == .entityNumber
          default: return false
          }
        }
      }
  }
}

extension String {
  /// The names, keywords and numbers of an SQL text.
  fileprivate var sqlWords: [Substring] {
    split { !($0.isLetter || $0.isNumber || $0 == "_") }
  }

  /// Whether an SQL text does more with entity numbers than to pass them to a function.
  fileprivate var comparesEntityNumbers: Bool {
    ranges(of: "Z_ENT").contains { range in
      self[range.upperBound...].first { $0 != " " } != ","
    }
  }
}
