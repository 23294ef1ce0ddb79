import SQLite
import StoreModel

/// Reads the rows of a store and compares them with what its model asks for.
///
/// See `StoreFormat.md` §9. Rows are named by entity and key, never by content.
///
/// - Complexity: Every check is one pass over a table; memory doesn't grow with the rows.
public struct RowCheck {
  let model: Model
  let layout: StoreLayout
  let store: StoreDescription

  /// The name under which the store is attached.
  let schema: String

  /// Prepares the check of a store against a model.
  public init(_ store: StoreDescription, model: Model, schema: String = "main") {
    self.store = store
    self.model = model
    self.schema = schema
    layout = StoreLayout(model, joinTableNames: store.tableNames)
  }

  /// Everything that isn't as it should be.
  ///
  /// Tables and columns that are missing are left to the structure's check.
  public func findings(_ connection: borrowing Connection) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for table in layout.tables where isComplete(table) {
      findings += try entityFindings(of: table, connection)
      findings += try maximumFindings(of: table, connection)
      findings += try mandatoryFindings(of: table, connection)
      findings += try linkFindings(of: table, connection)
    }
    for table in layout.joinTables {
      findings += try linkFindings(of: table, connection)
    }
    return findings
  }

  private func isComplete(_ table: Table) -> Bool {
    guard let found = store.table(named: table.name) else { return false }
    let names = Set(found.columns.map { $0.name.uppercased() })
    return table.columns.allSatisfy { names.contains($0.name.uppercased()) }
  }

  private func name(_ table: String) -> String {
    "\(quoteIdentifier(schema)).\(quoteIdentifier(table))"
  }
}

// MARK: - Rows and keys

extension RowCheck {
  private func entityFindings(
    of table: Table, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    let numbers = layout.numbering.tree(of: table.rootEntity)
      .compactMap(layout.numbering.number(of:)).map(String.init).joined(separator: ", ")
    let row = try connection.rows(
      """
      SELECT count(*), min(Z_PK) FROM \(name(table.name))
      WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers))
      """)[0]
    guard let count = row[0].int64, count > 0, let first = row[1].int64 else { return [] }
    return [
      Finding(
        .rowEntities,
        """
        \(count) rows of '\(table.rootEntity)' are of an entity that isn't of its kind, \
        first \(table.rootEntity)/\(first)
        """)
    ]
  }

  private func maximumFindings(
    of table: Table, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    let highest = try connection.value("SELECT max(Z_PK) FROM \(name(table.name))")?.int64 ?? 0
    for row in store.appEntityNumbers {
      guard layout.numbering.root(of: row.name) == table.rootEntity else { continue }
      if row.name != table.rootEntity, row.maximumKey != 0 {
        findings.append(
          Finding(
            .maximumKeys,
            "Z_MAX of the sub-entity '\(row.name)' is \(row.maximumKey) and should be 0"))
      } else if row.name == table.rootEntity, row.maximumKey < highest {
        findings.append(
          Finding(
            .maximumKeys,
            "Z_MAX of '\(row.name)' is \(row.maximumKey), below its highest key \(highest)"))
      }
    }
    return findings
  }

  private func mandatoryFindings(
    of table: Table, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    let mandatory = table.columns.compactMap {
      column -> (column: String, entity: String, path: String)? in
      guard case .attribute(let entity, let path, _) = column.content,
        model.isMandatory(path, of: entity)
      else { return nil }
      return (column.name, entity, path.joined(separator: "."))
    }
    guard !mandatory.isEmpty else { return [] }
    let terms = mandatory.map { column, entity, _ in
      """
      count(CASE WHEN \(quoteIdentifier(column)) IS NULL \
      AND Z_ENT IN (\(numbers(below: entity))) THEN 1 END)
      """
    }
    let row = try connection.rows(
      "SELECT \(terms.joined(separator: ", ")) FROM \(name(table.name))")[0]
    return zip(mandatory, row).compactMap { attribute, count in
      guard let count = count.int64, count > 0 else { return nil }
      return Finding(
        .mandatoryValues,
        """
        \(count) rows have no value in the mandatory attribute \
        '\(attribute.entity).\(attribute.path)'
        """)
    }
  }

  /// The numbers of an entity and its sub-entities, as SQL.
  private func numbers(below entity: String) -> String {
    layout.numbering.names.filter { model.inherits($0, from: entity) }
      .compactMap(layout.numbering.number(of:)).map(String.init).joined(separator: ", ")
  }
}

// MARK: - Links

extension RowCheck {
  /// A link to a row that isn't there is a warning: real stores have some.
  private func linkFindings(
    of table: Table, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for column in table.columns {
      let link: (entity: String, relationship: String, destination: String)
      switch column.content {
      case .foreignKey(let entity, let relationship):
        guard let destination = destination(of: relationship, entity) else { continue }
        link = (entity, relationship, destination)
      case .inverselessKey(let source, let relationship):
        link = (source, relationship, source)
      default: continue
      }
      guard let target = layout.table(of: link.destination), isComplete(target) else { continue }
      let count = try dangling(column.name, of: table.name, to: target.name, connection)
      if count > 0 {
        findings.append(
          Finding(
            .links, "\(count) links of '\(link.entity).\(link.relationship)' lead to no row",
            severity: .warning))
      }
    }
    return findings
  }

  private func linkFindings(
    of table: JoinTable, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    guard store.table(named: table.name) != nil else { return [] }
    var findings: [Finding] = []
    for side in [table.first, table.second] {
      guard let target = layout.table(of: side.entity), isComplete(target) else { continue }
      let count = try dangling(side.keyColumn, of: table.name, to: target.name, connection)
      if count > 0 {
        findings.append(
          Finding(
            .links, "\(count) links of '\(side.entity).\(side.relationship)' lead from no row",
            severity: .warning))
      }
    }
    return findings
  }

  private func dangling(
    _ column: String, of table: String, to target: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    let column = quoteIdentifier(column)
    return try connection.value(
      """
      SELECT count(*) FROM \(name(table)) AS link WHERE link.\(column) IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM \(name(target)) AS target WHERE target.Z_PK = link.\(column))
      """)?.int64 ?? 0
  }

  private func destination(of relationship: String, _ entity: String) -> String? {
    guard case .relationship(let found) = model[entity]?[relationship] else { return nil }
    return found.destinationName
  }
}

extension Model {
  /// Returns whether every row of an entity must have a value in a leaf of an attribute.
  fileprivate func isMandatory(_ path: [String], of entity: String) -> Bool {
    guard case .attribute(var attribute) = self[entity]?[path[0]] else { return false }
    var isMandatory = !attribute.isOptional
    for name in path.dropFirst() {
      guard let leaf = attribute.elements.first(where: { $0.name == name }) else { return false }
      attribute = leaf
      isMandatory = isMandatory && !leaf.isOptional
    }
    return isMandatory
  }

  /// Returns whether an entity is another or inherits from it.
  fileprivate func inherits(_ entity: String, from ancestor: String) -> Bool {
    var next: String? = entity
    for _ in entities {
      guard let name = next else { return false }
      if name == ancestor { return true }
      next = self[name]?.superentityName
    }
    return false
  }
}
