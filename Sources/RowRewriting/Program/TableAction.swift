package import StoreFormat

/// The action for one table.
package enum TableAction: Hashable, Sendable {
  /// The table and its indexes are copied unchanged, record by record.
  case carry(name: String)

  /// The table is created without rows.
  case create(Table)

  /// The rows are read, changed and written.
  case rewrite(RowProgram)

  /// The rows of a join table are written to a table with new names.
  case rejoin(JoinProgram)
}

extension TableAction {
  package var sourceTable: String? {
    switch self {
    case .carry(let name): name
    case .create: nil
    case .rewrite(let program): program.sourceTable
    case .rejoin(let program): program.sourceTable
    }
  }
}
