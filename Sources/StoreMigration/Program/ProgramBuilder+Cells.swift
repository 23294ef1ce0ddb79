import SQLite
import StoreFormat
import StoreModel

extension ProgramBuilder {
  func cell(
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

  func cell(
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

extension Table {
  func firstColumn(_ contents: [Column.Content]) -> Column? {
    contents.lazy.compactMap { self.column($0) }.first
  }

  func attributeColumn(_ path: String, of owner: String) -> String? {
    columns.first { column in
      guard case .attribute(let entity, let names, _) = column.content else { return false }
      return entity == owner && names.joined(separator: ".") == path
    }?.name
  }
}

extension Model {
  fileprivate func relationship(_ name: String, declaredBy entity: String) -> Relationship? {
    guard case .relationship(let relationship) = self[entity]?[name] else { return nil }
    return relationship
  }
}
