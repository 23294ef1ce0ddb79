import SQLite
import StoreFormat
import StoreModel

/// Turns a lineage into a program for the tables of one store.
struct ProgramBuilder {
  let lineage: Lineage
  let source: Model
  let target: Model
  let store: StoreDescription
  let options: [MigrationOption: Value]

  private let sourceLayout: StoreLayout
  private let targetLayout: StoreLayout

  init(
    lineage: Lineage, source: Model, target: Model, store: StoreDescription,
    options: [MigrationOption: Value]
  ) {
    self.lineage = lineage
    self.source = source
    self.target = target
    self.store = store
    self.options = options
    sourceLayout = StoreLayout(source, joinTableNames: store.tableNames)
    let kept = lineage.namesOfKeptJoinTables(sourceLayout, EntityNumbering(target))
    targetLayout = StoreLayout(target, joinTableNames: kept)
  }

  func program() throws(ProgramError) -> StoreProgram {
    var actions: [TableAction] = []
    for table in targetLayout.tables { actions.append(try action(for: table)) }
    for table in targetLayout.joinTables { actions.append(try action(for: table)) }
    let read = Set(actions.compactMap(\.sourceTable))
    let all = sourceLayout.tables.map(\.name) + sourceLayout.joinTables.map(\.name)
    return StoreProgram(
      sourceLayout: sourceLayout, targetLayout: targetLayout, actions: actions,
      entityNumbers: entityNumbers, droppedEntities: droppedEntities,
      changedEntities: changedEntities,
      droppedLinks: droppedLinks, droppedTables: all.filter { !read.contains($0) })
  }

  /// The target's number of each of the source's.
  private var entityNumbers: [Int64: Int64] {
    var numbers: [Int64: Int64] = [:]
    for (name, entity) in lineage.entities {
      guard let old = entity.source.flatMap(sourceLayout.numbering.number(of:)),
        let new = targetLayout.numbering.number(of: name)
      else { continue }
      numbers[Int64(old)] = Int64(new)
    }
    return numbers
  }

  private var droppedEntities: Set<Int64> {
    let carried = Set(lineage.entities.values.compactMap(\.source))
    let dropped = sourceLayout.numbering.names.filter { !carried.contains($0) }
    return Set(dropped.compactMap(sourceLayout.numbering.number(of:)).map(Int64.init))
  }

  private var changedEntities: Set<Int64> {
    var changed: Set<Int64> = []
    for (name, entity) in lineage.entities {
      guard let old = entity.source, let number = targetLayout.numbering.number(of: name) else {
        continue
      }
      let before = source.properties(of: old).map(\.name)
      if before != target.properties(of: name).map(\.name) { changed.insert(Int64(number)) }
    }
    return changed
  }
}

// MARK: - Entity tables

extension ProgramBuilder {
  private func action(for table: Table) throws(ProgramError) -> TableAction {
    let tree = targetLayout.numbering.tree(of: table.rootEntity)
    let roots = Set(
      tree.compactMap { lineage.entities[$0]?.source }.compactMap(sourceLayout.numbering.root(of:)))
    guard let root = roots.first else { return .create(table) }
    guard roots.count == 1, let sourceTable = sourceLayout.table(of: root) else {
      throw .mergedTables(entity: table.rootEntity, sources: roots.sorted())
    }
    let program = try rowProgram(for: table, from: sourceTable)
    return isUntouched(program, sourceTable) ? .carry(name: table.name) : .rewrite(program)
  }

  /// A table is untouched if it keeps its name, its columns and every value in them.
  private func isUntouched(_ program: RowProgram, _ sourceTable: Table) -> Bool {
    guard program.table.name == sourceTable.name, program.carriesAllRows, program.drops.isEmpty,
      program.entityNumbers.allSatisfy({ $0 == $1 }),
      Set(program.table.columns.map(\.name)) == Set(sourceTable.columns.map(\.name))
    else { return false }
    return zip(program.table.columns, program.cells).allSatisfy { column, cell in
      switch cell {
      case .column(let place), .entityNumber(let place):
        program.sourceColumns[place] == .named(column.name)
          && sourceTable.columns.contains {
            $0.name == column.name && $0.declaredType == column.declaredType
          }
      default: false
      }
    }
  }

  private func rowProgram(
    for table: Table, from sourceTable: Table
  ) throws(ProgramError) -> RowProgram {
    var columns = SourceColumns(["Z_PK", "Z_ENT", "Z_OPT"])
    var cells: [RowProgram.Cell] = []
    for column in table.columns {
      cells.append(try cell(for: column, from: sourceTable, &columns))
    }
    let drops = try drops(from: sourceTable, &columns)
    let sourceTree = sourceLayout.numbering.tree(of: sourceTable.rootEntity)
    let carried = sourceTree.filter { name in lineage.entities.values.contains { $0.source == name }
    }
    let numbers = Set(carried.compactMap(sourceLayout.numbering.number(of:)).map(Int64.init))
    return RowProgram(
      sourceEntity: sourceTable.rootEntity, sourceTable: sourceTable.name,
      sourceColumns: columns.columns, sourceProperties: columns.properties, table: table,
      cells: cells, entityNumbers: entityNumbers.filter { numbers.contains($0.key) },
      carriesAllRows: carried.count == sourceTree.count, drops: drops)
  }

  private func cell(
    for column: Column, from table: Table, _ columns: inout SourceColumns
  ) throws(ProgramError) -> RowProgram.Cell {
    switch column.content {
    case .primaryKey: return .column(columns.place(of: "Z_PK"))
    case .entityNumber: return .entityNumber(columns.place(of: "Z_ENT"))
    case .optimisticLock: return .column(columns.place(of: "Z_OPT"))
    case .attribute(let name, let path, _):
      guard let entity = lineage.entities[name],
        let expression = entity.cells[path.joined(separator: ".")]
      else { return .constant(.null) }
      return try cell(for: expression.binding(options), in: table, &columns)
    case .foreignKey(let name, let relationship):
      let content = sourceContent(name, relationship) { .foreignKey(entity: $0, relationship: $1) }
      return copy(table.firstColumn(content), &columns)
    case .ordering(let name, let relationship):
      let content = sourceContent(name, relationship) { .ordering(entity: $0, relationship: $1) }
      return copy(table.firstColumn(content), &columns)
    case .inverselessKey(let name, let relationship):
      let content = sourceContent(name, relationship) {
        .inverselessKey(source: $0, relationship: $1)
      }
      return copy(table.firstColumn(content), &columns)
    case .entityKey(let name, let relationship):
      return entityKey(name, relationship, in: table, &columns)
    }
  }

  private func copy(_ column: Column?, _ columns: inout SourceColumns) -> RowProgram.Cell {
    column.map { .column(columns.place(of: $0.name)) } ?? .constant(.null)
  }

  private func entityKey(
    _ name: String, _ relationship: String, in table: Table, _ columns: inout SourceColumns
  ) -> RowProgram.Cell {
    let keys = sourceContent(name, relationship) { .entityKey(entity: $0, relationship: $1) }
    if let column = table.firstColumn(keys) {
      return .entityNumber(columns.place(of: column.name))
    }
    // The destination had no sub-entities, so every row it links to is of the destination itself.
    let links = sourceContent(name, relationship) { .foreignKey(entity: $0, relationship: $1) }
    guard let link = table.firstColumn(links),
      let destination = target.relationship(relationship, declaredBy: name)?.destinationName,
      let number = targetLayout.numbering.number(of: destination)
    else { return .constant(.null) }
    return .constantWherePresent(.integer(Int64(number)), columns.place(of: link.name))
  }

  /// The contents of the source's columns that a relationship of the target may come from.
  private func sourceContent(
    _ entity: String, _ relationship: String,
    _ content: (String, String) -> Column.Content
  ) -> [Column.Content] {
    guard let lineage = lineage.entities[entity], let source = lineage.source,
      let name = lineage.relationships[relationship] ?? nil
    else { return [] }
    return self.source.chain(from: source).map { content($0, name) }
  }

  private func cell(
    for expression: Expression, in table: Table, _ columns: inout SourceColumns
  ) throws(ProgramError) -> RowProgram.Cell {
    switch expression {
    case .constant(let value): return .constant(value)
    case .option(let option): return .missingOption(option)
    case .cell(let entity, let path):
      guard let name = table.attributeColumn(path, of: entity) else {
        throw .missingColumn(entity: entity, property: path)
      }
      return .column(columns.place(of: name, property: path))
    case .converted(let converter, let inner):
      return .converted(converter, try cell(for: inner, in: table, &columns))
    case .conditional(let condition, let test, let then, let otherwise):
      let test = try cell(for: test, in: table, &columns)
      return .conditional(
        columns.condition(condition, on: test), test: test,
        then: try cell(for: then, in: table, &columns),
        otherwise: try cell(for: otherwise, in: table, &columns))
    }
  }
}

// MARK: - What has no place in the target

extension ProgramBuilder {
  private func drops(
    from table: Table, _ columns: inout SourceColumns
  ) throws(ProgramError) -> [RowProgram.Drop] {
    var drops: [RowProgram.Drop] = []
    for dropped in lineage.droppedProperties {
      guard let entity = dropped.source,
        sourceLayout.numbering.root(of: entity) == table.rootEntity
      else { continue }
      var cells: [RowProgram.Cell] = []
      for expression in dropped.expressions where !expression.cells.isEmpty {
        cells.append(
          try cell(for: expression.binding(options), in: table, &columns))
      }
      guard !cells.isEmpty else { continue }
      let tree = source.entities.map(\.name).filter { source.inherits($0, from: entity) }
      drops.append(
        RowProgram.Drop(
          step: "\(dropped.migration):\(dropped.path)", object: dropped.path.description,
          cells: cells,
          entityNumbers: Set(tree.compactMap(sourceLayout.numbering.number(of:)).map(Int64.init)),
          defaultValue: dropped.defaultValue))
    }
    return drops + linkDrops(from: table, &columns)
  }

  /// Links that are columns of a table.
  ///
  /// One side of a relationship holds them: the other, where it is
  /// dropped too, loses nothing more.
  private func linkDrops(
    from table: Table, _ columns: inout SourceColumns
  ) -> [RowProgram.Drop] {
    lineage.droppedRelationships.compactMap { dropped in
      let contents = [
        Column.Content.foreignKey(entity: dropped.source, relationship: dropped.name),
        .inverselessKey(source: dropped.source, relationship: dropped.name),
      ]
      guard let column = table.firstColumn(contents) else { return nil }
      let numbers = sourceLayout.numbering.tree(of: table.rootEntity)
        .compactMap(sourceLayout.numbering.number(of:)).map(Int64.init)
      return RowProgram.Drop(
        step: dropped.step, object: dropped.path.description,
        cells: [.column(columns.place(of: column.name, property: dropped.name))],
        entityNumbers: Set(numbers), defaultValue: nil)
    }
  }

  /// Links that are rows of a join table.
  private var droppedLinks: [StoreProgram.DroppedLinks] {
    lineage.droppedRelationships.compactMap { dropped in
      let table = sourceLayout.joinTables.first { table in
        table.first.matches((dropped.source, dropped.name))
          // Where both sides are dropped, the links are counted once, with the first.
          || table.second.matches((dropped.source, dropped.name))
            && !lineage.droppedRelationships.contains {
              table.first.matches(($0.source, $0.name))
            }
      }
      return table.map {
        StoreProgram.DroppedLinks(
          step: dropped.step, object: dropped.path.description, table: $0.name)
      }
    }
  }
}

// MARK: - Join tables

extension ProgramBuilder {
  private func action(for table: JoinTable) throws(ProgramError) -> TableAction {
    guard let match = sourceJoin(of: table) else {
      if table.first.entity == table.second.entity {
        throw .newSameEntityRelationship(
          entity: table.first.entity, relationship: table.first.relationship)
      }
      return .rejoin(
        JoinProgram(
          table: table, sourceTable: nil, sourceColumns: table.columnNames.map { _ in nil }))
    }
    let columns: [String?] =
      [match.first.keyColumn, match.second.keyColumn]
      + (table.first.orderingColumn == nil ? [] : [match.first.orderingColumn])
      + (table.second.orderingColumn == nil ? [] : [match.second.orderingColumn])
    if columns == table.columnNames && match.table == table.name { return .carry(name: table.name) }
    return .rejoin(JoinProgram(table: table, sourceTable: match.table, sourceColumns: columns))
  }

  private func sourceJoin(
    of table: JoinTable
  ) -> (table: String, first: JoinTable.Side, second: JoinTable.Side)? {
    let first = sourceSide(of: table.first)
    for candidate in sourceLayout.joinTables {
      if candidate.first.matches(first) {
        return (candidate.name, candidate.first, candidate.second)
      }
      if candidate.second.matches(first) {
        return (candidate.name, candidate.second, candidate.first)
      }
    }
    return nil
  }

  private func sourceSide(of side: JoinTable.Side) -> (entity: String, relationship: String)? {
    guard let entity = lineage.entities[side.entity], let source = entity.source,
      let name = entity.relationships[side.relationship] ?? nil
    else { return nil }
    return (source, name)
  }
}

extension Lineage {
  /// The names that join tables within one entity keep, in the numbers of the target: which of the two
  /// relationships names the table follows from no rule, so the store's own choice stays.
  fileprivate func namesOfKeptJoinTables(
    _ source: StoreLayout, _ target: EntityNumbering
  ) -> Set<String> {
    var names: Set<String> = []
    for table in source.joinTables where table.first.entity == table.second.entity {
      for (name, entity) in entities where entity.source == table.first.entity {
        let relationship = entity.relationships.first { $0.value == table.first.relationship }?.key
        guard let relationship, let number = target.number(of: name) else { continue }
        names.insert("Z_\(number)\(relationship.uppercased())")
      }
    }
    return names
  }
}

extension JoinTable.Side {
  fileprivate func matches(_ side: (entity: String, relationship: String)?) -> Bool {
    side.map { $0.entity == entity && $0.relationship == relationship } ?? false
  }
}

/// The columns that a program reads, each once.
private struct SourceColumns {
  private(set) var columns: [RowProgram.SourceColumn] = []
  private(set) var properties: [String] = []

  init(_ names: [String]) {
    for name in names { _ = place(of: name) }
  }

  mutating func place(of name: String, property: String? = nil) -> Int {
    place(of: .named(name), property: property ?? name)
  }

  /// A placeholder is told by its value, and by other rows that have it too.
  mutating func condition(
    _ condition: Expression.Condition, on test: RowProgram.Cell
  ) -> RowProgram.Condition {
    switch condition {
    case .null: return .null
    case .zero: return .zero
    case .empty: return .empty
    case .placeholder(let value):
      guard case .column(let place) = test, case .named(let name) = columns[place] else {
        return .placeholder(value, sharedFlag: nil)
      }
      let flag = self.place(of: .isShared(name), property: properties[place])
      return .placeholder(value, sharedFlag: flag)
    }
  }

  private mutating func place(of column: RowProgram.SourceColumn, property: String) -> Int {
    if let place = columns.firstIndex(of: column) { return place }
    columns.append(column)
    properties.append(property)
    return columns.count - 1
  }
}

extension Table {
  fileprivate func firstColumn(_ contents: [Column.Content]) -> Column? {
    contents.lazy.compactMap { self.column($0) }.first
  }

  fileprivate func attributeColumn(_ path: String, of owner: String) -> String? {
    columns.first { column in
      guard case .attribute(let entity, let names, _) = column.content else { return false }
      return entity == owner && names.joined(separator: ".") == path
    }?.name
  }
}

extension TableAction {
  var sourceTable: String? {
    switch self {
    case .carry(let name): name
    case .create: nil
    case .rewrite(let program): program.sourceTable
    case .rejoin(let program): program.sourceTable
    }
  }
}

extension Model {
  func relationship(_ name: String, declaredBy entity: String) -> Relationship? {
    guard case .relationship(let relationship) = self[entity]?[name] else { return nil }
    return relationship
  }
}
