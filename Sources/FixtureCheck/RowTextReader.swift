import SQLite
import StoreFormat
import StoreModel
import RowRewriting
import OutboxConversion
import StoreProof

/// Reads the rows of a store as text.
///
/// Tables come in the order of their root entities' numbers, the rows of a table in the order of
/// keys. The text has everything that an app sees of a row, but not `Z_OPT`, history or metadata.
struct RowTextReader {
  let model: Model
  let layout: StoreLayout

  init(_ store: StoreDescription, model: Model) {
    self.model = model
    layout = store.layout(of: model)
  }

  /// The position of each entity's table; entities of one table share one.
  var places: [String: Int] {
    var places: [String: Int] = [:]
    for (place, root) in layout.numbering.roots.enumerated() {
      for name in layout.numbering.tree(of: root) { places[name] = place }
    }
    return places
  }

  /// Calls a closure with every row.
  ///
  /// - Complexity: O(n) in the number of rows, with one row in memory at a time.
  func forEachRow(_ connection: borrowing Connection, _ body: (RowText) throws -> Void) throws {
    var rows = try RowTextCursor(self, connection)
    while let row = rows.row {
      try body(row)
      try rows.advance()
    }
  }
}

extension RowTextReader {
  /// The columns of a table that belong to the rows of one entity.
  struct Form {
    let entity: String
    let ancestry: Set<String>
    let cells: [Cell]
  }

  /// A column with the kind of its content.
  struct Cell {
    let column: Int
    let name: String
    let kind: Kind

    enum Kind {
      case attribute(AttributeType)

      /// The key of a row; another column, if there is one, has the number of its entity.
      case link(to: String, numberColumn: Int?)
      case number
    }
  }

  /// Returns the forms of a table's rows, by the numbers of their entities.
  func forms(of table: Table) -> [Int64: Form] {
    let tree = layout.numbering.tree(of: table.rootEntity)
    let forms = tree.compactMap { name -> (Int64, Form)? in
      guard let number = layout.numbering.number(of: name) else { return nil }
      let ancestry = Set(model.chain(from: name))
      let cells = table.columns.indices.compactMap { cell(at: $0, of: table, in: ancestry) }
      return (Int64(number), Form(entity: name, ancestry: ancestry, cells: cells))
    }
    return Dictionary(forms, uniquingKeysWith: { first, _ in first })
  }

  private func cell(at column: Int, of table: Table, in ancestry: Set<String>) -> Cell? {
    switch table.columns[column].content {
    case .primaryKey, .entityNumber, .optimisticLock, .entityKey: return nil
    case .attribute(let entity, let path, let type):
      guard ancestry.contains(entity) else { return nil }
      return Cell(column: column, name: path.joined(separator: "."), kind: .attribute(type))
    case .foreignKey(let entity, let name):
      guard ancestry.contains(entity), case .relationship(let relationship) = model[entity]?[name]
      else { return nil }
      let number = table.columns.firstIndex {
        $0.content == .entityKey(entity: entity, relationship: name)
      }
      let kind = Cell.Kind.link(to: relationship.destinationName, numberColumn: number)
      return Cell(column: column, name: name, kind: kind)
    case .inverselessKey(let source, let name):
      return Cell(
        column: column, name: "\(source).\(name)", kind: .link(to: source, numberColumn: nil))
    case .ordering(let entity, let name):
      guard ancestry.contains(entity) else { return nil }
      return Cell(column: column, name: "\(name).order", kind: .number)
    case .inverselessOrdering(let source, let name):
      return Cell(column: column, name: "\(source).\(name).order", kind: .number)
    }
  }

  func text(of cell: Cell, _ row: borrowing Statement) -> RowText.Property {
    let value: String
    switch cell.kind {
    case .link(let entity, let numberColumn):
      let number = numberColumn.map { row.int64(at: $0) }
      let name = number.flatMap { layout.numbering.name(of: Int($0)) } ?? entity
      value = row.isNull(at: cell.column) ? "null" : "\(name)/\(row.int64(at: cell.column))"
    case .attribute(let type): value = row.text(at: cell.column, as: type)
    case .number: value = row.text(at: cell.column, as: .integer64)
    }
    return RowText.Property(name: cell.name, value: value)
  }
}
