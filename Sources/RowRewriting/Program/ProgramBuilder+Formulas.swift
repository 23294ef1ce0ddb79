import Migrations
import SQLite
import StoreFormat
import StoreModel

extension ProgramBuilder {
  /// Returns the place of a formula's results among the columns that are read.
  ///
  /// The results of other formulas that it reads are columns too, so that they are checked.
  func place(
    of computation: Computation, in table: Table, _ columns: inout SourceColumns
  ) throws(ProgramError) -> Int {
    if computation.purpose == .value {
      for (_, value) in computation.values.sorted(by: { $0.key < $1.key }) {
        for read in value.computations { _ = try place(of: read, in: table, &columns) }
      }
    }
    // Before the value, because a value without a class has the better reason.
    if case .computed(let classes)? = computation.classes {
      _ = try place(of: classes, in: table, &columns)
    }
    let column = try column(of: computation, in: table)
    return columns.place(of: .computed(column), property: computation.attribute)
  }

  /// Returns the column with the results of a formula over the rows of a table.
  private func column(
    of computation: Computation, in table: Table
  ) throws(ProgramError) -> ComputedColumn {
    let sql = try sql(of: computation, in: table)
    let isValue = if case .requirement = computation.purpose { false } else { true }
    return ComputedColumn(
      isValue ? computation.type.storedForm(of: sql) : sql, of: computation,
      entityNumbers: sourceNumbers(of: computation.source))
  }

  /// Returns the column with a UUID for each row of an entity.
  ///
  /// It is made from the store's UUID, the entity, the attribute and the key, so it is the same in
  /// every run, and no two rows have one.
  func column(ofNewUUID path: PropertyPath, isText: Bool, source: String?) -> ComputedColumn {
    ComputedColumn(
      NewUUIDFunction.sql(
        path, isText: isText, storeUUID: store.metadata?.uuid, key: "Z_PK"),
      type: isText ? .string : .uuid, isOptional: false, purpose: .value,
      entityNumbers: sourceNumbers(of: source), classes: ["made"])
  }

  /// Adds the columns that check what must hold for the rows of a table.
  func addRequirements(
    of table: Table, to columns: inout SourceColumns
  ) throws(ProgramError) {
    for requirement in lineage.requirements
    where requirement.source.flatMap(sourceLayout.numbering.root) == table.rootEntity {
      let requirement = requirement.binding(options)
      if let option = requirement.options.first {
        add(option, neededBy: requirement.source, requirement.attribute, to: &columns)
      } else {
        _ = try place(of: requirement, in: table, &columns)
      }
    }
    // Which rows go must not depend on a value that isn't known.
    for removed in lineage.removedRows
    where removed.source.flatMap(sourceLayout.numbering.root) == table.rootEntity {
      let missing = removed.rule.options.subtracting(options.keys)
      guard let option = missing.min(by: { $0.rawValue < $1.rawValue }) else { continue }
      add(option, neededBy: removed.source, removed.step, to: &columns)
    }
  }

  /// Adds a column that notes for each row of an entity that an option isn't given.
  private func add(
    _ option: MigrationOption, neededBy entity: String?, _ object: String,
    to columns: inout SourceColumns
  ) {
    let column = ComputedColumn(
      "0", type: .boolean, isOptional: false, purpose: .restoration,
      entityNumbers: sourceNumbers(of: entity), missing: option)
    _ = columns.place(of: .computed(column), property: object)
  }

  func sourceNumbers(of entity: String?) -> Set<Int64> {
    let numbers = entity.flatMap(sourceLayout.numbering.numbers(below:))
    return Set(numbers?.map(Int64.init) ?? [])
  }

  func sql(
    of computation: Computation, in table: Table
  ) throws(ProgramError) -> String {
    var values: [ScalarExpression.Name: String] = [:]
    for (name, expression) in computation.values {
      values[.init(value: name)] = try sql(of: expression, in: table)
    }
    var scopes: [ScalarExpression.Scope] = []
    for (name, link) in computation.links.sorted(by: { $0.key < $1.key }) {
      guard
        let key = table.firstColumn(
          [.foreignKey(entity: link.entity, relationship: link.relationship)]),
        let root = sourceLayout.numbering.root(of: link.destination),
        let other = sourceLayout.table(of: root)
      else { throw .missingColumn(entity: link.entity, property: link.relationship) }
      for (value, expression) in link.values
      where computation.expression.names.contains(.init(scope: name, value: value)) {
        values[.init(scope: name, value: value)] = try sql(of: expression, in: other)
      }
      let from = "\(ComputedColumn.schemaMark).\(quoteIdentifier(other.name))"
      // The other table may have a column of the same name, and may be the same table.
      let own = "\(quoteIdentifier(table.name)).\(quoteIdentifier(key.name))"
      scopes.append(
        .init(name: name, source: "FROM \(from) AS \"linked row\" WHERE Z_PK = \(own)"))
    }
    return computation.expression.sql(scopes: scopes) { values[$0] ?? "NULL" }
  }

  /// Returns the SQL of an origin that no converter is part of.
  func sql(of expression: Expression, in table: Table) throws(ProgramError) -> String {
    switch expression {
    case .constant(let value): return value.literal
    case .option, .converted, .sequence: return "NULL"
    case .newUUID(let path, let isText):
      // A table that a link leads to may be in the same query.
      return NewUUIDFunction.sql(
        path, isText: isText, storeUUID: store.metadata?.uuid,
        key: "\(quoteIdentifier(table.name)).Z_PK")
    case .cell(let entity, let path):
      guard let name = table.attributeColumn(path, of: entity) else {
        throw .missingColumn(entity: entity, property: path)
      }
      return quoteIdentifier(name)
    case .computed(let computation):
      return computation.type.storedForm(of: try sql(of: computation, in: table))
    case .conditional(let condition, let test, let then, let otherwise):
      let isMet = RowProgram.Condition(condition).sql(of: try sql(of: test, in: table))
      return try "CASE WHEN \(isMet) THEN \(sql(of: then, in: table)) "
        + "ELSE \(sql(of: otherwise, in: table)) END"
    }
  }
}

extension Expression {
  /// The formulas whose results the value is, or is made of.
  fileprivate var computations: [Computation] {
    switch self {
    case .computed(let computation): options.isEmpty ? [computation] : []
    case .conditional(_, let test, let then, let otherwise):
      test.computations + then.computations + otherwise.computations
    case .cell, .constant, .option, .converted, .newUUID, .sequence: []
    }
  }
}
