import Migrations
import SQLite
import StoreFormat
import StoreModel

/// Links to rows that steps remove.
extension ProgramBuilder {
  /// Returns the cell of a link; one to a removed row leads elsewhere, or becomes NULL.
  ///
  /// - Parameters:
  ///   - column: The source's column with the key; `nil` if it has no such column.
  ///   - relationship: The target's relationship.
  ///   - entity: The target's entity that declares it.
  ///   - table: The source's table that has the column.
  ///   - columns: Receives the columns that are read.
  /// - Returns: The cell.
  /// - Throws: A ``ProgramError`` if the store lacks a column.
  func link(
    _ column: Column?, _ relationship: String, of entity: String, in table: Table,
    _ columns: inout SourceColumns
  ) throws(ProgramError) -> RowProgram.Cell {
    guard let column, let moved = try moved(column, in: table) else {
      return copy(column, &columns)
    }
    // The ledger accounts for the key as it was.
    _ = copy(column, &columns)
    var rules: [DerivedColumn.Rule] = []
    if let described = target.relationship(relationship, declaredBy: entity),
      case .foreignKey = column.content
    {
      if !described.isOptional {
        rules.append(
          .mandatory(entityNumbers: sourceNumbers(of: lineage.entities[entity]?.source)))
      }
      let inverse = described.inverseName.flatMap {
        target.relationship(named: $0, of: described.destinationName)?.relationship
      }
      if inverse?.isToMany == false { rules.append(.oneToOne) }
    }
    let derived = DerivedColumn(
      sql: moved.key, preparation: [], replaced: column.name,
      removedKeys: RowRemovals.keys(of: moved.table), rules: rules)
    return .column(columns.place(of: .derived(derived), property: relationship))
  }

  /// Returns the cell of the entity number that belongs to a link.
  func movedNumber(
    _ column: Column, of link: Column?, in table: Table, _ columns: inout SourceColumns
  ) throws(ProgramError) -> RowProgram.Cell {
    guard let link, let moved = try moved(link, in: table) else {
      return .entityNumber(columns.place(of: column.name))
    }
    // Rows of one entity are united only, so the number is that of the row before.
    let derived = DerivedColumn(
      sql: "CASE WHEN (\(moved.key)) IS NOT NULL THEN \(quoteIdentifier(column.name)) END",
      preparation: [], replaced: nil, removedKeys: nil, rules: [])
    return .entityNumber(columns.place(of: .derived(derived), property: column.name))
  }

  /// Returns the cell of a position in an ordered relationship, which a link belongs to.
  func position(
    _ column: Column?, of link: Column?, in table: Table, _ columns: inout SourceColumns
  ) throws(ProgramError) -> RowProgram.Cell {
    guard let column, let link, let moved = try moved(link, in: table) else {
      return copy(column, &columns)
    }
    _ = copy(column, &columns)
    let name = quoteIdentifier(column.name)
    var value = name
    var preparation: [String] = []
    if moved.removals.movesLinks(to: moved.table) {
      let keys = "temp.\(quoteIdentifier("positions \(table.name) \(column.name)"))"
      value = "coalesce((SELECT position FROM \(keys) WHERE key = Z_PK), \(name))"
      preparation = Self.positions(name, of: quoteIdentifier(link.name), moved, in: table, to: keys)
    }
    let derived = DerivedColumn(
      sql: "CASE WHEN (\(moved.key)) IS NOT NULL THEN \(value) END", preparation: preparation,
      replaced: column.name, removedKeys: nil, rules: [])
    return .column(columns.place(of: .derived(derived), property: column.content.property ?? ""))
  }

  /// Returns the statements that find the positions of rows that moved to other owners.
  private static func positions(
    _ column: String, of link: String, _ moved: Moved, in table: Table, to keys: String
  ) -> [String] {
    let losesRows = moved.removals.tables.contains(table.name)
    let staying = losesRows ? " AND \(RowRemovals.staying(in: table.name))" : ""
    return [
      "CREATE TABLE IF NOT EXISTS \(keys) (key INTEGER PRIMARY KEY, position INTEGER)",
      "DELETE FROM \(keys)",
      """
      INSERT INTO \(keys) SELECT key, \(RowRemovals.positionStep) * row_number() OVER (
        PARTITION BY owner ORDER BY place, old, position, key)
      FROM (SELECT Z_PK AS key, \(link) AS old, \(column) AS position, \(moved.key) AS owner,
          \(moved.removals.place(of: link, in: moved.table)) AS place
        FROM \(ComputedColumn.schemaMark).\(quoteIdentifier(table.name)) NOT INDEXED
        WHERE \(link) IS NOT NULL\(staying))
      WHERE \(RowRemovals.tookLinks("owner", in: moved.table))
      """,
    ]
  }

  /// Returns where links in a join table lead; `nil` if they lead to no removed row.
  ///
  /// - Parameters:
  ///   - entities: The source's entities on both sides, in the order of the target's columns.
  ///   - table: The target's table.
  /// - Returns: Where its links lead.
  /// - Throws: A ``ProgramError`` if the store lacks a column.
  func movedLinks(
    between entities: [String], in table: JoinTable
  ) throws(ProgramError) -> MovedLinks? {
    guard let removals = try removals() else { return nil }
    let tables = entities.compactMap { sourceLayout.table(of: $0)?.name }
    guard tables.count == 2, !removals.tables.isDisjoint(with: tables) else { return nil }
    // The position of one side's row is in the order of the other side's.
    let orderedBy =
      (table.first.orderingColumn == nil ? [] : [1])
      + (table.second.orderingColumn == nil ? [] : [0])
    return MovedLinks(removals: removals, tables: tables, orderedBy: orderedBy)
  }

  /// A link that may lead to removed rows.
  private struct Moved {
    /// The SQL of its present key.
    let key: String

    /// The table of the rows that it leads to.
    let table: String
    let removals: RowRemovals
  }

  /// Returns the present key of a link; `nil` if no row that it may lead to is removed.
  private func moved(_ column: Column, in table: Table) throws(ProgramError) -> Moved? {
    guard let removals = try removals(), let other = destination(of: column),
      removals.tables.contains(other.name)
    else { return nil }
    let key = removals.link(
      quoteIdentifier(column.name), to: other.name, from: other.name == table.name ? "Z_PK" : nil)
    return Moved(key: key, table: other.name, removals: removals)
  }
}
