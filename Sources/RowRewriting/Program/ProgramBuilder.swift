package import SQLite
package import StoreFormat
package import StoreModel
package import Migrations

/// Turns a lineage into a program for the tables of one store.
package struct ProgramBuilder {
  package let lineage: Lineage
  package let source: Model
  package let target: Model
  package let store: StoreDescription
  package let options: [MigrationOption: Value]

  /// The form in which the rows of the outbox are written.
  package let rows: MigrationRequest.Rows

  /// The store of the target that rows are brought back to; `nil` for a new one.
  ///
  /// Its names of join tables are kept, and rows aren't refused for links that they lack.
  let restored: StoreDescription?

  package let sourceLayout: StoreLayout
  package let targetLayout: StoreLayout

  package init(
    lineage: Lineage, source: Model, target: Model, store: StoreDescription,
    options: [MigrationOption: Value], rows: MigrationRequest.Rows = .documented,
    restoring restored: StoreDescription? = nil
  ) {
    self.lineage = lineage
    self.source = source
    self.target = target
    self.store = store
    self.options = options
    self.rows = rows
    self.restored = restored
    sourceLayout = store.layout(of: source)
    let kept = lineage.namesOfKeptJoinTables(sourceLayout, EntityNumbering(target))
    targetLayout = StoreLayout(
      target, joinTableNames: kept.union(restored?.tableNames ?? []))
  }

  package func program() throws(ProgramError) -> StoreProgram {
    if let taken = takenName { throw .nameTaken(taken) }
    var actions: [TableAction] = []
    for table in targetLayout.tables { actions.append(try action(for: table)) }
    for table in targetLayout.joinTables { actions.append(try action(for: table)) }
    try checkDerivedAttributes(actions)
    if let index = target.spatialIndexes.first { throw .spatialIndex(index) }
    try checkSystemTables()
    let relinked = try relinkedLinks()
    let read = Set(actions.compactMap(\.sourceTable)).union(
      relinked.flatMap { $0.origins.map(\.place.table) })
    let all = sourceLayout.tables.map(\.name) + sourceLayout.joinTables.map(\.name)
    return StoreProgram(
      sourceLayout: sourceLayout, targetLayout: targetLayout, actions: actions,
      entityNumbers: entityNumbers, droppedEntities: droppedEntities,
      changedEntities: changedEntities,
      lostLinks: droppedLinks + lostOrders, removals: try removals(), relinked: relinked,
      splits: try splits(), inlines: try inlines(),
      claims: formulaClaims,
      droppedTables: all.filter { !read.contains($0) },
      rows: rows)
  }

  /// A name of the target that a table outside the model has, or an index of such a table.
  private var takenName: String? {
    let made =
      targetLayout.tables.map(\.name) + targetLayout.joinTables.map(\.name)
      + targetLayout.allIndexes.map(\.name)
    let names = Set(made.map { $0.lowercased() })
    let others = store.unmodeledTables(in: sourceLayout).map(\.name)
    let tables = Set(others.map { $0.lowercased() })
    let indexes = store.indexes.filter { tables.contains($0.table.lowercased()) }.map(\.name)
    return (others + indexes).first { names.contains($0.lowercased()) }
  }

  /// Throws if a system table, which is made again, has a column that would be lost.
  private func checkSystemTables() throws(ProgramError) {
    if let unknown = store.unknownSystemColumns.first {
      throw .unknownColumn(unknown.column, table: unknown.table)
    }
  }

  /// The target's entity number for each of the source's.
  var entityNumbers: [Int64: Int64] {
    var numbers: [Int64: Int64] = [:]
    for (name, entity) in lineage.entities {
      guard let old = entity.source.flatMap(sourceLayout.numbering.number(of:)),
        let new = targetLayout.numbering.number(of: name)
      else { continue }
      numbers[Int64(old)] = Int64(new)
    }
    return numbers
  }

  var droppedEntities: Set<Int64> {
    let carried = Set(lineage.entities.values.compactMap(\.source))
    let dropped = sourceLayout.numbering.names.filter { !carried.contains($0) }
    return Set(dropped.compactMap(sourceLayout.numbering.number(of:)).map(Int64.init))
  }
}

// MARK: - Entity tables

extension ProgramBuilder {
  private func action(for table: Table) throws(ProgramError) -> TableAction {
    if let program = try splitProgram(for: table) { return .rewrite(program) }
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

  /// Returns whether a table keeps its name, its columns and every value in them.
  private func isUntouched(_ program: RowProgram, _ sourceTable: Table) -> Bool {
    guard program.table.name == sourceTable.name, program.carriesAllRows, program.drops.isEmpty,
      program.entityNumbers.allSatisfy({ $0 == $1 }), !program.hasComputedColumns,
      !program.hasEntityKeys || entityNumbers.allSatisfy({ $0 == $1 }),
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

  /// Returns the program for a table's rows, even if the table is copied; `nil` if it is new.
  package func rowProgram(for table: Table) throws(ProgramError) -> RowProgram? {
    if let program = try splitProgram(for: table) { return program }
    let tree = targetLayout.numbering.tree(of: table.rootEntity)
    let root = tree.lazy.compactMap { lineage.entities[$0]?.source }
      .compactMap(sourceLayout.numbering.root(of:)).first
    guard let root, let sourceTable = sourceLayout.table(of: root) else { return nil }
    return try rowProgram(for: table, from: sourceTable)
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
    try addRequirements(of: sourceTable, to: &columns)
    let sourceTree = sourceLayout.numbering.tree(of: sourceTable.rootEntity)
    // Branches of a hierarchy whose root is removed become tables of their own.
    let tree = targetLayout.numbering.tree(of: table.rootEntity)
    let sources = Set(tree.compactMap { lineage.entities[$0]?.source })
    let carried = sourceTree.filter(sources.contains)
    let numbers = Set(carried.compactMap(sourceLayout.numbering.number(of:)).map(Int64.init))
    return RowProgram(
      sourceEntity: sourceTable.rootEntity, sourceTable: sourceTable.name,
      sourceColumns: columns.columns, sourceProperties: columns.properties, table: table,
      cells: cells, conversions: columns.conversions,
      entityNumbers: entityNumbers.filter { numbers.contains($0.key) },
      linkedNumbers: entityNumbers,
      carriesAllEntities: carried.count == sourceTree.count,
      removals: try removals(for: sourceTable, columns), drops: drops)
  }
}

extension RowProgram {
  /// Whether formulas are evaluated for the rows, if only to check them.
  var hasComputedColumns: Bool {
    sourceColumns.contains { if case .computed = $0 { true } else { false } }
  }

  /// Whether values depend on other rows, by steps that remove or number rows.
  var hasDerivedColumns: Bool {
    sourceColumns.contains { if case .derived = $0 { true } else { false } }
  }

  /// Whether rows hold the entity numbers of the rows that they link to.
  fileprivate var hasEntityKeys: Bool {
    table.columns.contains { column in
      if case .entityKey = column.content { true } else { false }
    }
  }
}
