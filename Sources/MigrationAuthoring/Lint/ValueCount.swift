import SQLite
import StoreFormat
import StoreModel
import Migrations
import RowRewriting
import StoreProof

/// A query for how many rows of one entity have a significant value in some columns.
struct ValueCount: Hashable, Sendable {
  /// A column, and which of its values are insignificant.
  struct Cell: Hashable, Sendable {
    let column: String
    let insignificantValues: InsignificantValues
  }

  /// The table.
  let table: String

  /// The numbers of the entities whose rows are counted.
  let entityNumbers: Set<Int64>

  /// The columns; one with a significant value is enough.
  let cells: [Cell]

  /// Whether to count rows in which all columns are NULL instead.
  let countsNull: Bool

  /// Counts the rows for several queries, reading each table once and one row at a time.
  ///
  /// - Complexity: O(n) in the number of rows; memory for one row.
  static func counts(
    _ questions: Set<ValueCount>, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [ValueCount: Int64] {
    var counts: [ValueCount: Int64] = [:]
    for (table, questions) in Dictionary(grouping: questions, by: \.table) {
      let columns = Array(Set(questions.flatMap { $0.cells.map(\.column) })).sorted()
      let places = Dictionary(
        columns.enumerated().map { ($1, $0 + 1) }, uniquingKeysWith: { first, _ in first })
      let names = (["Z_ENT"] + columns).map(quoteIdentifier).joined(separator: ", ")
      var rows = try connection.prepare("SELECT \(names) FROM \(qualified(table, in: "main"))")
      while try rows.step() {
        for question in questions where question.holds(of: rows, places) {
          counts[question, default: 0] += 1
        }
      }
    }
    return counts
  }

  private func holds(of row: borrowing Statement, _ places: [String: Int]) -> Bool {
    guard entityNumbers.contains(row.int64(at: 0)) else { return false }
    for cell in cells {
      guard let place = places[cell.column] else { continue }
      let isEmpty =
        countsNull
        ? row.type(at: place) == .null : cell.insignificantValues.covers(row.value(at: place))
      if !isEmpty { return !countsNull }
    }
    return countsNull
  }
}

/// Finds the columns of a store that hold the values of a property of a later model.
struct ValueFinder {
  let source: Model
  let layout: StoreLayout
  let lineage: Lineage

  /// Returns the query for a property; `nil` if the store has no columns for it.
  func count(of path: PropertyPath, countsNull: Bool = false) -> ValueCount? {
    guard let entity = lineage.entities[path.entity], let origin = entity.source,
      let table = layout.table(of: origin)
    else { return nil }
    let cells =
      if let link = entity.relationships[path.property] {
        link.source.flatMap { column(ofLink: $0.name, of: origin, in: table) }.map { [$0] } ?? []
      } else {
        entity.paths(of: path.property).compactMap { entity.cells[$0] }
          .flatMap { columns(of: $0, in: table) }
      }
    guard !cells.isEmpty else { return nil }
    return ValueCount(
      table: table.name, entityNumbers: numbers(of: origin), cells: cells, countsNull: countsNull)
  }

  private func numbers(of entity: String) -> Set<Int64> {
    let tree = source.entities.map(\.name).filter { source.inherits($0, from: entity) }
    return Set(tree.compactMap(layout.numbering.number(of:)).map(Int64.init))
  }

  private func column(
    ofLink name: String, of entity: String, in table: Table
  ) -> ValueCount.Cell? {
    guard let owner = source.relationship(named: name, of: entity)?.entity else { return nil }
    return table.column(.foreignKey(entity: owner, relationship: name)).map {
      ValueCount.Cell(column: $0.name, insignificantValues: InsignificantValues(of: nil, in: nil))
    }
  }

  private func columns(of expression: Expression, in table: Table) -> [ValueCount.Cell] {
    switch expression {
    case .cell(let entity, let path): column(of: path, entity, in: table).map { [$0] } ?? []
    case .constant, .option, .newUUID, .sequence: []
    case .converted(_, _, let inputs): inputs.flatMap { columns(of: $0, in: table) }
    case .computed(let made): made.values.values.flatMap { columns(of: $0, in: table) }
    case .conditional(_, let test, let then, let otherwise):
      [test, then, otherwise].flatMap { columns(of: $0, in: table) }
    }
  }

  private func column(of path: String, _ entity: String, in table: Table) -> ValueCount.Cell? {
    for attribute in source[entity]?.attributes ?? [] {
      for leaf in attribute.leaves where leaf.cellName == path {
        let content = Column.Content.attribute(
          entity: entity, path: leaf.path, type: leaf.attribute.type)
        return table.column(content).map {
          ValueCount.Cell(
            column: $0.name,
            insignificantValues: InsignificantValues(of: leaf.attribute, in: attribute))
        }
      }
    }
    return nil
  }
}
