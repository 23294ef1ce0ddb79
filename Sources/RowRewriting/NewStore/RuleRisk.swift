import SQLite
package import StoreFormat
package import StoreModel
package import Migrations

/// Whether rows of a sound store may break a rule of the target after a migration.
///
/// A rule is kept without reading rows if the source has it for the same values.
package struct RuleRisk {
  let lineage: Lineage
  let program: StoreProgram
  let source: Model
  let target: Model
  let store: StoreDescription

  package init(
    _ lineage: Lineage, program: StoreProgram, source: Model, target: Model,
    store: StoreDescription
  ) {
    (self.lineage, self.program) = (lineage, program)
    (self.source, self.target, self.store) = (source, target, store)
  }

  /// A Boolean value indicating whether only the migrated rows can show that all rules are kept.
  package var isPresent: Bool {
    hasNewAbstractEntity || mayLeadElsewhere || mayStrandRecords
      || program.actions.contains { action in
        switch action {
        case .carry(let name):
          program.targetLayout.tables.first { $0.name == name }.map(isRisky) ?? false
        case .rewrite(let rows): isRisky(rows)
        case .create, .rejoin: false
        }
      }
  }

  /// Whether a record of mirroring may be about a row that goes, although its entity stays.
  ///
  /// The record names the entity itself, and damage may have given the row another one.
  private var mayStrandRecords: Bool {
    guard store.table(named: MirroringTables.records) != nil else { return false }
    return program.removals != nil
      || program.rewrites.contains { !$0.carriesAllEntities }
  }

  /// Whether an entity that may have rows of its own becomes abstract.
  private var hasNewAbstractEntity: Bool {
    program.entityNumbers.contains { before, after in
      let old = program.sourceLayout.numbering.name(of: Int(before)).flatMap { source[$0] }
      let new = program.targetLayout.numbering.name(of: Int(after)).flatMap { target[$0] }
      return old?.isAbstract == false && new?.isAbstract == true
    }
  }
}

// MARK: - Hierarchies

extension RuleRisk {
  /// Whether a kept link may lead to a row whose entity the relationship doesn't lead to any more.
  private var mayLeadElsewhere: Bool {
    target.entities.contains { entity in
      entity.relationships.contains { relationship in
        // All rows of a table are of the root's entity.
        guard target[relationship.destinationName]?.superentityName != nil,
          let link = lineage.entities[entity.name]?.relationships[relationship.name],
          let former = link.source?.destination
        else { return false }
        return heirs(of: former).contains {
          !target.inherits($0, from: relationship.destinationName)
        }
      }
    }
  }

  /// Returns the target's entities whose rows were those of an entity of the source.
  private func heirs(of former: String) -> [String] {
    let (old, new) = (program.sourceLayout.numbering, program.targetLayout.numbering)
    return program.entityNumbers.compactMap { before, after in
      guard let name = old.name(of: Int(before)), source.inherits(name, from: former) else {
        return nil
      }
      return new.name(of: Int(after))
    }
  }
}

// MARK: - Tables that are carried unchanged

extension RuleRisk {
  private func isRisky(_ table: Table) -> Bool {
    let old = program.sourceLayout.tables.first { $0.name == table.name }
    let isOptional = mandatory(of: table).contains { place, entity in
      let column = old?.columns.first { $0.name == table.columns[place].name }
      return !column.map { isMandatory($0, everywhereIn: entity) }.isTrue
    }
    return isOptional
      || uniqueIndexes(of: table).contains { !hasUniqueIndex(on: $0.columns, of: table.name) }
  }
}

// MARK: - Tables that are rewritten

extension RuleRisk {
  private func isRisky(_ rows: RowProgram) -> Bool {
    mandatory(of: rows.table).contains { !hasValue(rows.cells[$0.place], rows, in: $0.entity) }
      || zip(rows.table.columns, rows.cells).contains { !keepsType($1, of: $0, rows) }
      || uniqueIndexes(of: rows.table).contains { !isInherited($0, rows) }
  }

  /// Returns whether a cell has a value in every row of an entity of the target.
  private func hasValue(_ cell: RowProgram.Cell, _ rows: RowProgram, in entity: String) -> Bool {
    switch cell {
    case .column(let place):
      column(at: place, rows).map { isMandatory($0, everywhereIn: entity) }.isTrue
    case .constant(let value): !value.isNull
    // A missing option is refused before the values are checked.
    case .entityNumber, .missingOption: true
    case .constantWherePresent: false
    case .converted(let place, _):
      rows.conversions[place].converter.keepsPresence
        && rows.conversions[place].inputs.allSatisfy { hasValue($0, rows, in: entity) }
    case .conditional(_, let test, let then, let otherwise):
      // Every condition holds for NULL, so the test has a value where it doesn't hold.
      hasValue(then, rows, in: entity)
        && (otherwise == test || hasValue(otherwise, rows, in: entity))
    }
  }

  /// Returns whether SQLite stores a copied value in the target's column as it is.
  private func keepsType(
    _ cell: RowProgram.Cell, of target: Column, _ rows: RowProgram
  ) -> Bool {
    switch cell {
    case .column(let place):
      column(at: place, rows).map { $0.declaredType == target.declaredType } ?? true
    case .conditional(_, _, let then, let otherwise):
      keepsType(then, of: target, rows) && keepsType(otherwise, of: target, rows)
    case .constant, .entityNumber, .missingOption, .constantWherePresent, .converted: true
    }
  }

  /// Returns whether the columns of a unique index are copied from unique ones.
  private func isInherited(_ index: IndexLayout, _ rows: RowProgram) -> Bool {
    var names: [String] = []
    for column in index.columns {
      guard let place = rows.table.columns.firstIndex(where: { $0.name == column }),
        case .column(let source) = rows.cells[place],
        case .named(let name) = rows.sourceColumns[source]
      else { return false }
      names.append(name)
    }
    return hasUniqueIndex(on: names, of: rows.sourceTable)
  }

  private func column(at place: Int, _ rows: RowProgram) -> Column? {
    guard case .named(let name) = rows.sourceColumns[place] else { return nil }
    return program.sourceLayout.tables.first { $0.name == rows.sourceTable }?
      .columns.first { $0.name == name }
  }
}

// MARK: - The rules

extension RuleRisk {
  /// The columns of mandatory attributes, with the entities that declare them.
  private func mandatory(of table: Table) -> [(place: Int, entity: String)] {
    table.columns.enumerated().compactMap { place, column in
      guard case .attribute(let entity, let path, _) = column.content,
        target.isMandatory(path, of: entity)
      else { return nil }
      return (place, entity)
    }
  }

  /// Returns whether a column of the source has a value in every row that gets an entity.
  private func isMandatory(_ column: Column, everywhereIn entity: String) -> Bool {
    guard case .attribute(let owner, let path, _) = column.content,
      source.isMandatory(path, of: owner)
    else { return false }
    let (old, new) = (program.sourceLayout.numbering, program.targetLayout.numbering)
    return program.entityNumbers.allSatisfy { before, after in
      guard let name = new.name(of: Int(after)), target.inherits(name, from: entity) else {
        return true
      }
      return old.name(of: Int(before)).map { source.inherits($0, from: owner) }.isTrue
    }
  }

  private func uniqueIndexes(of table: Table) -> [IndexLayout] {
    program.targetLayout.indexes.filter { $0.isUnique && $0.table == table.name }
  }

  private func hasUniqueIndex(on columns: [String], of table: String) -> Bool {
    store.indexes.contains {
      $0.isUnique && $0.table.lowercased() == table.lowercased()
        && Set($0.columns) == Set(columns)
    }
  }
}

extension Converter {
  /// A Boolean value indicating whether every output has a value if every input has one.
  fileprivate var keepsPresence: Bool {
    switch self {
    case .rawValue, .real, .integer, .formula: true
    case .jsonText, .jsonBytes, .quantity, .quantityText: false
    }
  }
}

extension Bool? {
  /// A Boolean value indicating whether the value is known to be true.
  fileprivate var isTrue: Bool { self == true }
}
