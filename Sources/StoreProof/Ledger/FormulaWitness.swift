import Migrations
import RowRewriting
import SQLite
import StoreFormat
import StoreModel

/// The SQL by which the proof computes attributes again, over the rows of the old store.
///
/// It finds the columns by the names of the model, not by the program that made the new store.
struct FormulaWitness {
  let layout: StoreLayout

  /// The schema under which the old store is attached.
  let schema: String

  /// Returns the expression for a claimed attribute, over the rows of a table of the old store.
  ///
  /// - Returns: The SQL; `nil` if the table lacks a column that the formula reads.
  func sql(of claim: FormulaClaim, over table: Table) -> String? {
    let numbers = claim.sources.compactMap { layout.numbering.number(of: $0) }.map(String.init)
    return sql(
      of: claim.value,
      Row(
        table: table, name: table.name, entities: numbers.joined(separator: ", "),
        storeUUID: claim.storeUUID))
  }

  /// Returns the expression for a value by which rows of a table are ordered or compared.
  ///
  /// - Parameters:
  ///   - part: The value.
  ///   - table: The table, by the name that it has in the query.
  ///   - model: The model of the old store.
  ///   - removals: The rows that steps remove, with which links move; `nil` if no step does.
  /// - Returns: The SQL; `nil` if the table lacks a column that the value is made of.
  func sql(
    of part: KeyPart, over table: Table, _ model: Model, after removals: RowRemovals?
  ) -> String? {
    let row = Row(table: table, name: table.name)
    switch part {
    case .value(let computation): return sql(of: .computed(computation), row)
    case .link(let entity, let relationship):
      guard let key = row.link(relationship, of: entity),
        let described = model.relationship(named: relationship, of: entity)?.relationship,
        let root = layout.numbering.root(of: described.destinationName),
        let other = layout.table(of: root)
      else { return nil }
      guard let removals else { return key }
      let own = other.name == table.name ? "\(quoteIdentifier(row.name)).Z_PK" : nil
      return removals.link(key, to: other.name, from: own)
    }
  }

  /// A row of a table, by its name in the SQL.
  private struct Row {
    let table: Table
    let name: String
    var depth = 0

    /// The numbers of the entities whose rows have results of formulas; `nil` for all rows.
    ///
    /// Conditions also fill the columns of other entities' rows in the table.
    var entities: String?

    /// The UUID of the old store, from which new ones are made.
    var storeUUID: String?

    /// Returns the SQL of a value that rows of other entities don't have.
    func restricted(_ sql: String) -> String {
      entities.map { "CASE WHEN Z_ENT IN (\($0)) THEN \(sql) END" } ?? sql
    }

    /// Returns the SQL of an attribute's value.
    func attribute(_ path: String, of entity: String) -> String? {
      table.attributeColumn(path, of: entity).map(value)
    }

    /// Returns the SQL of the key that a to-one relationship leads to.
    func link(_ relationship: String, of entity: String) -> String? {
      let link = Column.Content.foreignKey(entity: entity, relationship: relationship)
      return table.columns.first { $0.content == link }.map { value($0.name) }
    }

    private func value(_ column: String) -> String {
      "\(quoteIdentifier(name)).\(quoteIdentifier(column))"
    }
  }

  private func sql(of value: Expression, _ row: Row) -> String? {
    switch value {
    case .constant(let value): return value.literal
    case .cell(let entity, let path): return row.attribute(path, of: entity)
    case .conditional(let condition, let test, let then, let otherwise):
      guard let test = sql(of: test, row), let then = sql(of: then, row),
        let otherwise = sql(of: otherwise, row)
      else { return nil }
      return "iif(\(met(condition, test)), \(then), \(otherwise))"
    case .computed(let computation):
      return sql(of: computation, row).map { row.restricted(stored($0, as: computation.type)) }
    case .newUUID(let path, let isText):
      return row.restricted(
        NewUUIDFunction.sql(
          path, isText: isText, storeUUID: row.storeUUID,
          key: "\(quoteIdentifier(row.name)).Z_PK"))
    case .converted, .option, .sequence: return nil
    }
  }

  /// Returns the formula over a table of its names, beside one table for each link.
  private func sql(of computation: Computation, _ row: Row) -> String? {
    let names = computation.expression.names.sorted {
      ($0.scope ?? "", $0.value) < ($1.scope ?? "", $1.value)
    }
    var own = ["0 AS \(quoteIdentifier(" "))"]
    var linked: [String: [String]] = [:]
    for name in names {
      let value: String?
      if let scope = name.scope {
        value = computation.links[scope].flatMap { self.value(name.value, of: $0, row) }
      } else {
        value = computation.values[name.value].flatMap { sql(of: $0, row) }
      }
      guard let value else { return nil }
      let column = "\(value) AS \(quoteIdentifier(name.value))"
      if let scope = name.scope {
        linked[scope, default: []].append(column)
      } else {
        own.append(column)
      }
    }
    // The line break ends a comment at the text's end.
    let formula =
      "(SELECT (\n\(computation.expression.text)\n) FROM (SELECT \(own.joined(separator: ", "))))"
    let tables = linked.sorted { $0.key < $1.key }.map { scope, columns in
      "(SELECT \(columns.joined(separator: ", "))) AS \(quoteIdentifier(scope))"
    }
    return tables.isEmpty ? formula : "(SELECT \(formula) FROM \(tables.joined(separator: ", ")))"
  }

  /// Returns a value of the row that a link leads to; it is NULL if there is no row.
  private func value(_ name: String, of link: Computation.Link, _ row: Row) -> String? {
    guard let root = layout.numbering.root(of: link.destination),
      let table = layout.table(of: root),
      let key = row.link(link.relationship, of: link.entity),
      let origin = link.values[name]
    else { return nil }
    let there = Row(table: table, name: "row \(row.depth + 1)", depth: row.depth + 1)
    return sql(of: origin, there).map {
      """
      (SELECT \($0) FROM \(qualified(table.name, in: schema)) AS \(quoteIdentifier(there.name)) \
      WHERE \(quoteIdentifier(there.name)).Z_PK = \(key))
      """
    }
  }

  private func met(_ condition: Expression.Condition, _ value: String) -> String {
    switch condition {
    case .null: return "\(value) IS NULL"
    case .zero: return "\(value) IS NULL OR (typeof(\(value)) <> 'text' AND \(value) IS 0)"
    case .empty: return "\(value) IS NULL OR length(CAST(\(value) AS BLOB)) = 0"
    case .placeholder(let usual):
      let literal = usual?.literal ?? "NULL"
      return
        "\(value) IS NULL OR (typeof(\(value)) IS typeof(\(literal)) AND \(value) IS \(literal))"
    }
  }

  /// Returns a result as a column of its type stores it.
  private func stored(_ sql: String, as type: AttributeType) -> String {
    let form =
      switch type {
      case .integer16, .integer32, .integer64, .boolean, .date, .decimal:
        "WHEN 'real' THEN iif(CAST(v AS INTEGER) = v, CAST(v AS INTEGER), v)"
      case .double, .float: "WHEN 'integer' THEN CAST(v AS REAL)"
      case .string, .uri, .uuid, .binary, .transformable, .undefined, .objectID, .composite,
        .codable:
        ""
      }
    return form.isEmpty
      ? sql : "(SELECT CASE typeof(v) \(form) ELSE v END FROM (SELECT \(sql) AS v))"
  }
}

/// How the proof's query of a rewritten table reads computed attributes.
struct WitnessedColumns {
  /// The SQL of columns of the program's query, in place of the program's own.
  private(set) var replaced: [Int: String] = [:]

  /// The SQL of further columns.
  private(set) var further: [String] = []

  /// For each column of the target that a formula determines, the index of its value in the query.
  private(set) var places: [Int: Int] = [:]

  /// Finds the columns that the claims are about.
  ///
  /// - Parameters:
  ///   - rows: The program of the table.
  ///   - program: The program of the store.
  ///   - schema: The schema under which the old store is attached.
  ///   - count: The number of columns of the query before the further ones.
  init(of rows: RowProgram, in program: StoreProgram, schema: String, after count: Int) {
    guard let table = program.sourceLayout.tables.first(where: { $0.name == rows.sourceTable })
    else { return }
    let witness = FormulaWitness(layout: program.sourceLayout, schema: schema)
    for place in rows.checkingColumns { replaced[place] = "NULL" }
    for claim in program.claims {
      guard
        let column = rows.table.attributeColumn(claim.path, of: claim.entity),
        let target = rows.table.columns.firstIndex(where: { $0.name == column }),
        let sql = witness.sql(of: claim, over: table)
      else { continue }
      if case .column(let place) = rows.cells[target], case .computed = rows.sourceColumns[place],
        replaced[place] == nil
      {
        replaced[place] = sql
        places[target] = place
      } else {
        places[target] = count + further.count
        further.append(sql)
      }
    }
  }
}
