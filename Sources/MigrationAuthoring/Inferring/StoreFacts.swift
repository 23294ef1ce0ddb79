import SQLite
import StoreFormat
import StoreModel
import Migrations

/// Counts and samples in a store by which an inferred migration can be completed.
struct StoreFacts {
  /// A number of values, and some of the different ones.
  struct Values {
    let count: Int64
    let sample: Set<Value>
  }

  private let model: Model
  private let layout: StoreLayout

  init(_ model: Model, tableNames: Set<String>) {
    self.model = model
    layout = StoreLayout(model, joinTableNames: tableNames)
  }

  /// Returns how many rows each question concerns; one about no table is left out.
  func rows(
    of questions: [OpenQuestion], _ connection: borrowing Connection
  ) throws(SQLiteError) -> [OpenQuestion: Int64] {
    var counts: [OpenQuestion: Int64] = [:]
    for question in questions {
      switch question.rows {
      case .all(let entity): counts[question] = try count(of: entity, connection)
      case .having(let path):
        counts[question] = try count(of: path, where: "IS NOT NULL", connection)
      case .lacking(let path): counts[question] = try count(of: path, where: "IS NULL", connection)
      case .repeating(let paths, let entity):
        counts[question] = try repeatedRows(of: entity, by: paths, connection)
      }
    }
    return counts
  }

  /// Returns how many rows or values a migration drops; one of no column is left out.
  func counts(
    of drops: [InferredMigration.Drop], _ connection: borrowing Connection
  ) throws(SQLiteError) -> [InferredMigration.Drop: Int64] {
    var counts: [InferredMigration.Drop: Int64] = [:]
    for drop in drops {
      switch drop {
      case .entity(let name): counts[drop] = try count(of: name, connection)
      case .property(let path):
        counts[drop] = try count(of: path, where: "IS NOT NULL", connection)
      }
    }
    return counts
  }

  /// Returns the values of properties; a property without a column of its own is left out.
  func values(
    of paths: [PropertyPath], _ connection: borrowing Connection
  ) throws(SQLiteError) -> [PropertyPath: Values] {
    var values: [PropertyPath: Values] = [:]
    for path in Set(paths) {
      guard let count = try count(of: path, where: "IS NOT NULL", connection) else { continue }
      values[path] = Values(count: count, sample: try sample(of: path, connection))
    }
    return values
  }

  private func count(
    of entity: String, where condition: String = "", _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64? {
    try rows(of: entity).flatMap { rows throws(SQLiteError) in
      try connection.value("SELECT count(*) \(rows) \(condition)")?.int64
    }
  }

  private func count(
    of path: PropertyPath, where condition: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64? {
    let columns = columns(of: path)
    guard !columns.isEmpty else { return nil }
    // A composite value is NULL if all its parts are.
    let conditions = columns.map { "\($0) \(condition)" }
      .joined(separator: condition == "IS NULL" ? " AND " : " OR ")
    return try count(of: path.entity, where: "AND (\(conditions))", connection)
  }

  /// Returns how many rows aren't the first of those with equal values; NULL equals nothing.
  private func repeatedRows(
    of entity: String, by paths: [PropertyPath], _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64? {
    let columns = paths.compactMap(column(of:))
    guard let rows = rows(of: entity), columns.count == paths.count else { return nil }
    // Rows of different sub-entities aren't equal.
    let groups = (["Z_ENT"] + columns).joined(separator: ", ")
    let conditions = columns.map { "AND \($0) IS NOT NULL" }.joined(separator: " ")
    return try connection.value(
      """
      SELECT coalesce(sum(number - 1), 0) FROM (
        SELECT count(*) AS number \(rows) \(conditions) GROUP BY \(groups) HAVING number > 1)
      """)?.int64
  }

  /// Returns up to 200 different values; long ones are left out, to bound the memory.
  private func sample(
    of path: PropertyPath, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Set<Value> {
    guard let column = column(of: path), let rows = rows(of: path.entity) else { return [] }
    var sample: Set<Value> = []
    var statement = try connection.prepare(
      "SELECT DISTINCT \(column) \(rows) AND length(\(column)) <= 256 LIMIT 200")
    while try statement.step() { sample.insert(statement.value(at: 0)) }
    return sample
  }

  /// Returns the clauses that select the rows of an entity and its sub-entities.
  func rows(of entity: String) -> String? {
    layout.table(of: entity).map { table in
      let numbers = model.entities.map(\.name).filter { model.inherits($0, from: entity) }
        .compactMap { layout.numbering.number(of: $0).map(String.init) }
      return "FROM \(quoteIdentifier(table.name)) "
        + "WHERE Z_ENT IN (\(numbers.joined(separator: ", ")))"
    }
  }

  /// Returns the column of a property, or the columns of a composite attribute's parts.
  private func columns(of path: PropertyPath) -> [String] {
    if let column = column(of: path) { return [column] }
    return layout.table(of: path.entity)?.columns.compactMap { column in
      guard case .attribute(path.entity, let names, _) = column.content,
        names.first == path.property
      else { return nil }
      return quoteIdentifier(column.name)
    } ?? []
  }

  func column(of path: PropertyPath) -> String? {
    let table = layout.table(of: path.entity)
    let key = Column.Content.foreignKey(entity: path.entity, relationship: path.property)
    return (table?.attributeColumn(path.property, of: path.entity) ?? table?.column(key)?.name)
      .map(quoteIdentifier)
  }
}
