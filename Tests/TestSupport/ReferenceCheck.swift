import Foundation
import PropertyList
import SQLite
import StoreFormat
package import StoreModel

/// The invariants of `StoreFormat.md` §9 and a slow layout, asked of a store in plain SQL.
package struct ReferenceCheck: ~Copyable {
  private let connection: Connection
  private let path: String
  private let layout: ReferenceLayout
  private let isRewritten: Bool

  /// What doesn't hold, in words.
  private var complaints: [String] = []

  private init(_ path: String, _ model: Model, isRewritten: Bool) throws(SQLiteError) {
    connection = try Connection(path: path, mode: .readOnlyUnshared)
    self.path = path
    self.isRewritten = isRewritten
    layout = ReferenceLayout(model)
  }

  /// Checks the store at a path.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - model: The model that the store must have.
  ///   - isRewritten: Whether all tables are as if they were new: no column was appended, no index is
  ///     left.
  /// - Returns: What doesn't hold, in words. If it is the structure, rows aren't checked.
  /// - Throws: A `SQLiteError`.
  package static func complaints(
    of path: String, _ model: Model, isRewritten: Bool
  ) throws -> [String] {
    var check = try ReferenceCheck(path, model, isRewritten: isRewritten)
    try check.run()
    return check.complaints
  }

  private mutating func run() throws {
    try checkNumbers()
    try checkMetadata()
    let tables = Set(try texts("SELECT name FROM sqlite_schema WHERE type = 'table'"))
    let joins = layout.joins(in: tables)
    try checkTables(joins, tables)
    try checkIndexes(joins)
    guard complaints.isEmpty else { return }
    for root in layout.roots { try checkRows(of: root) }
    for join in joins { try checkLinks(join) }
    try checkHistory()
  }

  private mutating func expect(_ holds: Bool, _ complaint: @autoclosure () -> String) {
    if !holds { complaints.append(complaint()) }
  }

  /// Expects that a query of a number gives 0.
  private mutating func expectNone(_ complaint: String, _ query: String) throws {
    let count = try connection.value(query)?.int64 ?? -1
    expect(count == 0, "\(complaint): \(count)")
  }

  private func texts(_ query: String) throws -> [String] {
    try connection.rows(query).map { $0[0].string ?? "?" }
  }

  private func list(_ entities: [String]) -> String {
    entities.map { "\(layout.number($0))" }.joined(separator: ", ")
  }

  // MARK: - What the store says of itself

  private mutating func checkNumbers() throws {
    let rows = try connection.rows(
      "SELECT Z_ENT, Z_SUPER, Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT < 16001 ORDER BY Z_ENT")
    expect(rows.count == layout.names.count, "\(rows.count) entities in Z_PRIMARYKEY")
    for (row, name) in zip(rows, layout.names) {
      let names = [name, layout.model[name]?.renamingIdentifier ?? name]
      expect(
        row[0].int64 == Int64(layout.number(name)) && names.contains(row[2].string ?? "")
          && row[1].int64 == Int64(layout.superNumber(name)), "Z_PRIMARYKEY has \(row)")
      expect(layout.superNumber(name) == 0 || row[3].int64 == 0, "\(name) has a highest key")
    }
    try expectNone(
      "history's names",
      """
      SELECT count(*) FROM Z_PRIMARYKEY WHERE Z_ENT BETWEEN 16001 AND 16003 AND (Z_SUPER <> 0
        OR Z_NAME <> CASE Z_ENT WHEN 16001 THEN 'CHANGE' WHEN 16002 THEN 'TRANSACTION'
          ELSE 'TRANSACTIONSTRING' END)
      """)
  }

  private mutating func checkMetadata() throws {
    try expectNone("Z_METADATA", "SELECT count(*) - 1 FROM Z_METADATA WHERE Z_VERSION = 1")
    try expectNone("Z_METADATA", "SELECT count(*) - 1 FROM Z_METADATA")
    try expectNone("Z_MODELCACHE", "SELECT count(*) - 1 FROM Z_MODELCACHE")
    let plist = try connection.value("SELECT Z_PLIST FROM Z_METADATA")?.bytes ?? []
    let values = try PropertyList(binary: plist).dictionaryValue ?? [:]
    let identifiers = values["NSStoreModelVersionIdentifiers"]?.arrayValue?.compactMap(
      \.stringValue)
    expect(identifiers?.sorted() == layout.model.versionIdentifiers.sorted(), "other identifiers")
    // No formula gives the hash of a derived attribute.
    guard layout.model.derivedAttributes.isEmpty else { return }
    let hashes = ReferenceHashes(layout.model)
    let found = values["NSStoreModelVersionHashes"]?.dictionaryValue ?? [:]
    expect(
      found.mapValues { Data($0.dataValue ?? []) } == hashes.entities, "other hashes")
    for (key, value) in [("HashesDigest", hashes.digest), ("ChecksumKey", hashes.checksum)] {
      let found = values["NSStoreModelVersion\(key)"]?.stringValue
      expect(found == nil || found == value, "another \(key)")
    }
    let cache = try connection.value("SELECT Z_CONTENT FROM Z_MODELCACHE")?.bytes ?? []
    expect(try ModelCache.decode(cache) == layout.model, "another model in the cache")
  }

  private mutating func checkHistory() throws {
    guard try connection.value("SELECT 1 FROM sqlite_schema WHERE name = 'ACHANGE'") != nil
    else { return }
    try expectNone(
      "changes of no entity",
      "SELECT count(*) FROM ACHANGE WHERE ZENTITY NOT IN (\(list(layout.names)))")
    try expectNone(
      "changes of no transaction",
      """
      SELECT count(*) FROM ACHANGE WHERE ZTRANSACTIONID NOT IN (SELECT Z_PK FROM ATRANSACTION)
      """)
    for (number, table) in [(16001, "ACHANGE"), (16002, "ATRANSACTION")] {
      try expectNone(
        "keys of \(table)",
        """
        SELECT count(*) FROM Z_PRIMARYKEY
        WHERE Z_ENT = \(number) AND Z_MAX < (SELECT max(Z_PK) FROM \(table))
        """)
    }
  }

  // MARK: - Tables and indexes

  private mutating func checkTables(_ joins: [ReferenceLayout.Join], _ tables: Set<String>) throws {
    let own = layout.roots.map(layout.table) + joins.map(\.table)
    let others = tables.filter {
      !$0.hasPrefix("Z_METADATA") && !$0.hasPrefix("Z_MODELCACHE")
        && !$0.hasPrefix("Z_PRIMARYKEY") && !$0.hasPrefix("A") && !$0.hasPrefix("sqlite_")
    }
    expect(
      Set(own) == others, "tables \(others.symmetricDifference(own).sorted()) on one side only")
    let statements = layout.tableStatements + joins.map(\.statement)
    for (table, statement) in zip(own, statements) {
      let found = try texts("SELECT sql FROM sqlite_schema WHERE name = '\(table)'").first ?? ""
      let (left, right) = (columns(in: found), columns(in: statement))
      let isEqual = isRewritten ? left == right : Set(left) == Set(right)
      expect(isEqual, "\(found) instead of \(statement)")
    }
  }

  /// Returns the columns of a statement, ordering columns by name: no rule says their order.
  private func columns(in statement: String) -> [String] {
    guard let start = statement.firstIndex(of: "(") else { return [] }
    var columns = statement[start...].dropFirst().dropLast().split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let places = columns.indices.filter { columns[$0].hasPrefix("Z_FOK_") }
    for (place, name) in zip(places, places.map { columns[$0] }.sorted()) { columns[place] = name }
    return columns
  }

  private mutating func checkIndexes(_ joins: [ReferenceLayout.Join]) throws {
    var expected = layout.indexStatements
    for join in joins {
      expected["\(join.table)_\(join.columns[1])_index".lowercased()] = [join.indexStatement]
    }
    let found = Set(
      try texts(
        """
        SELECT sql FROM sqlite_schema
        WHERE type = 'index' AND sql IS NOT NULL AND tbl_name NOT GLOB 'A*'
        """))
    let missing = expected.values.filter { found.isDisjoint(with: $0) }.flatMap(\.self)
    // §14.4: a renamed join table keeps its old index, and a quoted name.
    expect(
      isRewritten ? missing.isEmpty : missing.allSatisfy { $0.contains("INDEX Z_") },
      "no index \(missing.sorted())")
    let surplus = found.subtracting(expected.values.flatMap(\.self))
    expect(!isRewritten || surplus.isEmpty, "surplus indexes \(surplus.sorted())")
  }

  // MARK: - Rows

  private mutating func checkRows(of root: String) throws {
    let table = layout.table(root)
    let tree = layout.tree(root)
    try expectNone(
      "\(table): rows of no entity",
      """
      SELECT count(*) FROM \(table) WHERE Z_ENT IS NULL OR Z_ENT NOT IN
        (\(list(tree.filter { layout.model[$0]?.isAbstract == false })))
      """)
    try expectNone(
      "\(table): keys above Z_MAX",
      """
      SELECT count(*) FROM \(table)
      WHERE Z_PK > (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(layout.number(root)))
      """)
    for cell in layout.cells[root] ?? [] where cell.kind != .fixed {
      try checkValues(of: cell, in: table)
    }
  }

  private mutating func checkValues(of cell: ReferenceLayout.Cell, in table: String) throws {
    let entities = list(layout.tree(cell.owner))
    let name = "\(table).\(cell.name)"
    switch cell.role {
    case .place, .entity: break
    case .value: try checkAttribute(cell, in: table, entities)
    case .holder:
      try checkKeys(cell.name, name, to: cell.property[1], in: table)
    case .key:
      let links = layout.model[cell.owner]?.relationships ?? []
      guard let link = links.first(where: { $0.name == cell.property[0] }) else { return }
      try checkKeys(cell.name, name, to: link.destinationName, in: table)
      let entityCell = (layout.cells[layout.ancestry(cell.owner).last ?? ""] ?? []).first {
        $0.role == .entity && $0.owner == cell.owner && $0.property == cell.property
      }
      guard let entityCell else { return }
      let other = layout.table(link.destinationName)
      try expectNone(
        "\(name): other entity keys",
        """
        SELECT count(*) FROM \(table) AS own WHERE \(entityCell.name) IS NOT
          (SELECT Z_ENT FROM \(other) AS other WHERE other.Z_PK = own.\(cell.name))
        """)
    }
  }

  private mutating func checkKeys(
    _ column: String, _ name: String, to entity: String, in table: String
  ) throws {
    try expectNone(
      "\(name): keys of no row",
      """
      SELECT count(*) FROM \(table) WHERE \(column) IS NOT NULL AND \(column) NOT IN
        (SELECT Z_PK FROM \(layout.table(entity)) WHERE Z_ENT IN (\(list(layout.tree(entity)))))
      """)
  }

  private mutating func checkLinks(_ join: ReferenceLayout.Join) throws {
    for (column, entity) in zip(join.columns, join.entities) {
      try checkKeys(column, "\(join.table).\(column)", to: entity, in: join.table)
      try expectNone(
        "\(join.table): rows without a key",
        "SELECT count(*) FROM \(join.table) WHERE \(column) IS NULL")
    }
  }

  private mutating func checkAttribute(
    _ cell: ReferenceLayout.Cell, in table: String, _ entities: String
  ) throws {
    let name = "\(table).\(cell.name)"
    guard
      let attribute = layout.model[cell.owner]?.attributes.first(where: {
        $0.name == cell.property[0]
      })
    else { return }
    if !attribute.isOptional, attribute.type != .composite {
      try expectNone(
        "\(name): no value",
        "SELECT count(*) FROM \(table) WHERE \(cell.name) IS NULL AND Z_ENT IN (\(entities))")
    }
    let classes: String
    switch cell.type {
    case "INTEGER": classes = "'integer'"
    case "FLOAT": classes = "'real'"
    // SQLite stores a whole number of these as an integer.
    case "DECIMAL", "TIMESTAMP": classes = "'integer', 'real'"
    case "VARCHAR": classes = "'text'"
    default: classes = "'blob'"
    }
    try expectNone(
      "\(name): other types",
      "SELECT count(*) FROM \(table) WHERE typeof(\(cell.name)) NOT IN ('null', \(classes))")
    if attribute.allowsExternalStorage { try checkExternal(cell.name, in: table) }
  }

  /// Expects a marker before every value, and a file for those of the second kind (§13).
  private mutating func checkExternal(_ column: String, in table: String) throws {
    try expectNone(
      "\(table).\(column): no marker",
      "SELECT count(*) FROM \(table) WHERE substr(\(column), 1, 1) NOT IN (x'01', x'02')")
    let folder = StoreFiles(path: path).externalDataFolder
    for value in try connection.rows(
      "SELECT \(column) FROM \(table) WHERE substr(\(column), 1, 1) = x'02'")
    {
      let file = String(decoding: value[0].bytes?.dropFirst().dropLast() ?? [], as: UTF8.self)
      expect(FileManager.default.fileExists(atPath: "\(folder)/\(file)"), "no file \(file)")
    }
  }
}
