import OutboxFormat
import OutboxConversion
import StoreFormat
import Migrations
import RowRewriting

extension StoreProgram {
  /// Returns the tables that a plan is created from, in the order of their names.
  ///
  /// These are the tables that are rewritten or dropped, and those in which other rows are found by
  /// a value, or read through a link. `Z_OPT`, tables that are carried unchanged, metadata and
  /// history don't matter.
  ///
  /// - Parameters:
  ///   - readsOwner: Whether the owner of rows without one is taken from the store.
  ///   - linked: The values that formulas read through links.
  /// - Returns: The tables, each with the columns that matter.
  func inputs(readsOwner: Bool, linked: Set<PropertyPath>) -> [PlanInput] {
    let whole = Set(actions.compactMap(\.readTable) + droppedTables)
      .union(relinked.flatMap(\.sourceTables))
    var inputs: [PlanInput] = []
    for table in sourceLayout.tables {
      let columns =
        whole.contains(table.name) ? table.valueColumns : lookedUp(in: table, readsOwner, linked)
      guard !columns.isEmpty || whole.contains(table.name) else { continue }
      inputs.append(
        PlanInput(table: table.name, kind: .rows(root: table.rootEntity), columns: columns))
    }
    for table in sourceLayout.joinTables where whole.contains(table.name) {
      inputs.append(
        PlanInput(
          table: table.name, kind: .links("\(table.first.entity).\(table.first.relationship)"),
          columns: table.columnNames))
    }
    return inputs.sorted { $0.table < $1.table }
  }

  /// The columns of a table by which rows of other tables find its rows, or that they read.
  private func lookedUp(
    in table: Table, _ readsOwner: Bool, _ linked: Set<PropertyPath>
  ) -> [String] {
    var columns = Set(linked.compactMap { table.attributeColumn($0.property, of: $0.entity) })
    for case .matchingKey(let lookup) in rewrites.flatMap(\.sourceColumns)
    where lookup.table == table.name {
      columns.insert(lookup.nameColumn)
    }
    if let delivery = delivery?.delivery {
      for entity in delivery.entities.values where entity.table == table.name {
        columns.formUnion(entity.columns)
      }
    }
    if readsOwner, let column = OwnerOption.column(in: table) { columns.insert(column.name) }
    return columns.sorted()
  }
}

extension TableAction {
  /// The source's table whose rows are rewritten; `nil` if none are.
  fileprivate var readTable: String? {
    switch self {
    case .carry, .create: nil
    case .rewrite, .rejoin: sourceTable
    }
  }
}

extension Table {
  /// The columns that hold values, by name.
  fileprivate var valueColumns: [String] {
    columns.filter {
      $0.content != .optimisticLock && $0.content != .primaryKey && $0.content != .entityNumber
    }
    .map(\.name).sorted()
  }
}

extension Lineage {
  /// Returns whether a value of the target, a requirement or a removal depends on an option.
  func needs(_ option: MigrationOption) -> Bool {
    entities.values.contains { $0.cells.values.contains { $0.options.contains(option) } }
      || requirements.contains { $0.options.contains(option) }
      || removedRows.contains { $0.rule.options.contains(option) }
      || relinks.contains { $0.order?.options.contains(option) == true }
  }
}
