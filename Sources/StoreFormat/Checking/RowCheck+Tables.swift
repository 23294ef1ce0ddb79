import SQLite
package import StoreModel

/// The query that scans a table once and counts each kind of invalid row.
private struct TableScan {
  /// The maximum number of terms, below SQLite's limit of 1000 for the depth of an expression.
  private static let mostTerms = 500

  let table: Table

  /// The SQL condition for a row of an unrelated entity.
  let isForeign: String

  /// The SQL conditions for a missing value, with the mandatory attribute.
  let missing: [(test: String, attribute: String)]

  /// The SQL condition for a row of an abstract entity; empty if there is no such entity.
  let isAbstract: [String]

  /// The SQL conditions for an invalid row.
  var tests: [String] { [isForeign] + missing.map(\.test) + isAbstract }

  /// Returns the query.
  ///
  /// Valid rows are only filtered, not counted.
  func query(of name: String) -> String {
    let counts = tests.map { "count(CASE WHEN \($0) THEN 1 END)" }
    let filter = tests.count > Self.mostTerms ? "1" : tests.joined(separator: " OR ")
    return """
      SELECT (SELECT max(Z_PK) FROM \(name)), min(CASE WHEN \(isForeign) THEN Z_PK END), \
      \(counts.joined(separator: ", ")) FROM \(name) WHERE \(filter)
      """
  }
}

extension RowCheck {
  /// Finds rows of unrelated or abstract entities, keys above `Z_MAX`, and missing mandatory values.
  func tableFindings(
    of table: Table, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    guard let scan = scan(of: table) else { return [] }
    if let kept, kept.tables.contains(table.name), kept.rules.contains(scan.rule) {
      let highest = try connection.value("SELECT max(Z_PK) FROM \(name(table.name))")?.int64
      return maximumFindings(of: table, highest: highest ?? 0)
    }
    let row = try connection.rows(scan.query(of: name(table.name)))[0]
    return entityFindings(of: table, count: row[2].int64 ?? 0, first: row[1].int64 ?? 0)
      + maximumFindings(of: table, highest: row[0].int64 ?? 0)
      + zip(scan.missing, row.dropFirst(3)).compactMap { missing, count in
        guard let count = count.int64, count > 0 else { return nil }
        return Finding(
          .mandatoryValues,
          """
          \(counted(count, "row has", "rows have")) no value in the mandatory attribute \
          '\(missing.attribute)'
          """, about: [missing.attribute])
      }
      + (scan.isAbstract.isEmpty ? [] : abstractFindings(of: table, count: row.last?.int64))
  }

  /// Returns what a table's rows are checked by, in a form that two models can be compared by.
  func rowRule(of table: Table) -> KeptRules.Rule? { scan(of: table)?.rule }

  private func scan(of table: Table) -> TableScan? {
    layout.numbering.numbers(below: table.rootEntity).map {
      TableScan(
        table: table, isForeign: foreignTest($0), missing: mandatoryTests(of: table),
        isAbstract: abstractTests($0))
    }
  }

  private func foreignTest(_ numbers: ClosedRange<Int>) -> String {
    let (first, last) = (numbers.lowerBound, numbers.upperBound)
    // Use a single comparison if possible, because it is evaluated for every row.
    return first == last
      ? "Z_ENT IS NOT \(first)" : "(Z_ENT IS NULL OR Z_ENT NOT BETWEEN \(first) AND \(last))"
  }

  private func abstractTests(_ numbers: ClosedRange<Int>) -> [String] {
    let abstract = numbers.filter {
      layout.numbering.name(of: $0).flatMap { model[$0] }?.isAbstract == true
    }
    return abstract.isEmpty
      ? [] : ["Z_ENT IN (\(abstract.map(String.init).joined(separator: ", ")))"]
  }

  private func abstractFindings(of table: Table, count: Int64?) -> [Finding] {
    guard let count, count > 0 else { return [] }
    return [
      Finding(
        .rowEntities,
        "\(counted(count, "row", "rows")) of '\(table.rootEntity)' \(count == 1 ? "has" : "have") the "
          + "number of an abstract entity, which has no rows", about: [table.rootEntity])
    ]
  }

  private func entityFindings(of table: Table, count: Int64, first: Int64) -> [Finding] {
    guard count > 0 else { return [] }
    return [
      Finding(
        .rowEntities,
        """
        \(counted(count, "row", "rows")) of '\(table.rootEntity)' \(count == 1 ? "has" : "have") the \
        number of an unrelated entity, first \(table.rootEntity)/\(first)
        """, about: [table.rootEntity])
    ]
  }

  private func maximumFindings(of table: Table, highest: Int64) -> [Finding] {
    store.appEntityNumbers.compactMap { row in
      let name = row.entity(in: model, layout.numbering)
      guard layout.numbering.root(of: name) == table.rootEntity else { return nil }
      if name != table.rootEntity {
        guard row.maximumKey != 0 else { return nil }
        return Finding(
          .maximumKeys,
          "Z_MAX of the sub-entity '\(name)' is \(row.maximumKey) and should be 0", about: [name])
      }
      return row.problem(of: name, highestKey: highest).map {
        Finding(.maximumKeys, $0, about: [name])
      }
    }
  }

  private func mandatoryTests(of table: Table) -> [(test: String, attribute: String)] {
    table.columns.compactMap { column in
      guard case .attribute(let entity, let path, _) = column.content,
        model.isMandatory(path, of: entity)
      else { return nil }
      let attribute = "\(entity).\(path.joined(separator: "."))"
      let test = "\(quoteIdentifier(column.name)) IS NULL"
      guard entity != table.rootEntity else { return (test, attribute) }
      // Rows of other entities in the table have no value in this column (StoreFormat.md §5.5).
      return ("(\(test) AND \(layout.numbering.condition(below: entity)))", attribute)
    }
  }
}

extension TableScan {
  /// The conditions, without the names of attributes, which no row's validity depends on.
  fileprivate var rule: KeptRules.Rule { KeptRules.Rule(table: table.name, words: tests) }
}

extension Model {
  /// Returns whether a leaf of an attribute must have a value in every row of an entity.
  package func isMandatory(_ path: [String], of entity: String) -> Bool {
    guard case .attribute(var attribute) = self[entity]?[path[0]] else { return false }
    var isMandatory = !attribute.isOptional
    for name in path.dropFirst() {
      guard let leaf = attribute.elements.first(where: { $0.name == name }) else { return false }
      attribute = leaf
      isMandatory = isMandatory && !leaf.isOptional
    }
    return isMandatory
  }
}
