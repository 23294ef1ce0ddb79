import SQLite
import StoreFormat
import StoreModel

/// Pairs rows by attributes: gives rows of the second store the keys of their partners.
///
/// Rows of equal values are paired in the order of their keys. A row without a partner gets a
/// negative key. Links are read with the new keys, so everything else is compared by key. The keys
/// are in temporary tables of the second store's connection.
struct KeyTranslation {
  /// The second store's tables whose rows get other keys.
  private let tables: Set<String>
  private let side: StorePairing.Side

  init(tables: Set<String>, of side: StorePairing.Side) {
    self.tables = tables
    self.side = side
  }

  /// Returns the query for a pass's rows in the order of their new keys.
  ///
  /// After the table's columns it has as many again, in which keys are the store's own.
  func query(_ rows: TablePass.Rows) -> String {
    let name = quoteIdentifier(rows.table.name)
    let filter = rows.condition.map { " WHERE \($0)" } ?? ""
    let columns = rows.table.columns.map { expression($0, in: rows.table) }
    let own = rows.table.columns.map { $0.holdsKey ? quoteIdentifier($0.name) : "NULL" }
    let list = (columns + own).joined(separator: ", ")
    guard tables.contains(rows.table.name) else {
      return "SELECT \(list) FROM \(name)\(filter) ORDER BY Z_PK"
    }
    return """
      SELECT \(list) FROM \(keyTable(rows.table.name)) CROSS JOIN \(name) ON Z_PK = own\(filter)
      ORDER BY shown
      """
  }

  /// Returns the query for a relationship's links in the order of their new keys.
  ///
  /// The last two columns are the store's own keys.
  func query(_ links: JoinPass.Links) -> String {
    let keys = [links.near, links.far].map { translated($0.keyColumn, to: $0.entity) }
    let places = [links.near, links.far].map { $0.orderingColumn.map(quoteIdentifier) ?? "NULL" }
    let own = [links.near, links.far].map { quoteIdentifier($0.keyColumn) }
    let list = (keys + places + own).joined(separator: ", ")
    return "SELECT \(list) FROM \(quoteIdentifier(links.table)) ORDER BY 1, 2"
  }

  private func expression(_ column: Column, in table: Table) -> String {
    switch column.content {
    case .primaryKey where tables.contains(table.name): "shown"
    case .foreignKey, .inverselessKey:
      translated(column.name, to: side.model.link(in: column)?.entity)
    case .primaryKey, .entityNumber, .optimisticLock, .attribute, .entityKey, .ordering,
      .inverselessOrdering:
      quoteIdentifier(column.name)
    }
  }

  /// Returns an expression for the new key of the row that a column leads to.
  private func translated(_ column: String, to entity: String?) -> String {
    let name = quoteIdentifier(column)
    guard let table = entity.flatMap(side.layout.table(of:))?.name, tables.contains(table) else {
      return name
    }
    return "coalesce((SELECT shown FROM \(keyTable(table)) WHERE own = \(name)), \(name))"
  }

  private func keyTable(_ table: String) -> String { "temp." + quoteIdentifier("keys " + table) }
}

extension KeyTranslation {
  /// Fills the temporary tables; reads the rows of every pass once.
  ///
  /// - Complexity: O(n log n) in the numbers of rows.
  func prepare(
    _ pairing: StorePairing, _ first: borrowing Connection, _ second: borrowing Connection
  ) throws(SQLiteError) {
    for name in tables {
      try second.execute(
        "CREATE TEMP TABLE \(quoteIdentifier("keys " + name)) (own INTEGER PRIMARY KEY, shown)")
    }
    for pass in pairing.passes {
      guard let b = pass.b, tables.contains(b.table.name) else { continue }
      try second.execute(
        """
        DROP TABLE IF EXISTS temp.partners; CREATE TEMP TABLE partners
        (place, value, number, key, PRIMARY KEY (place, value, number)) WITHOUT ROWID
        """)
      if let a = pass.a { try copy(pairing.identities(of: a, in: .a), first, second) }
      try second.execute(
        """
        INSERT INTO \(keyTable(b.table.name)) SELECT key, coalesce((
          SELECT key FROM temp.partners AS partner
          WHERE (partner.place, partner.value, partner.number) = (r.place, r.value, r.number)
        ), -row_number() OVER (ORDER BY key)) FROM (\(pairing.identities(of: b, in: .b))) AS r
        """)
    }
    for name in tables {
      try second.execute(
        """
        CREATE INDEX temp.\(quoteIdentifier("shown " + name))
        ON \(quoteIdentifier("keys " + name)) (shown)
        """)
    }
  }

  /// Copies what identifies the rows of the first store, unless the value is missing.
  private func copy(
    _ identities: String, _ first: borrowing Connection, _ second: borrowing Connection
  ) throws(SQLiteError) {
    var rows = try first.prepare(
      "SELECT place, value, number, key FROM (\(identities)) WHERE value IS NOT NULL")
    var insertion = try second.prepare("INSERT INTO temp.partners VALUES (?1, ?2, ?3, ?4)")
    while try rows.step() {
      try insertion.bind((0..<4).map { rows.value(at: $0) })
      try insertion.run()
    }
  }
}

extension StorePairing {
  /// Returns a query for what identifies a pass's rows.
  ///
  /// These are the entity's index, the value and, among rows of equal values, the number.
  fileprivate func identities(of rows: TablePass.Rows, in side: StoreSide) -> String {
    func choice(_ result: (Int64) -> String) -> String {
      // A number of no entity counts as the root's.
      let cases = rows.numbers.map { "WHEN \($0) THEN \(result($0))" }.joined(separator: " ")
      return "CASE Z_ENT \(cases) ELSE \(result(rows.numbers.lowerBound)) END"
    }
    let place = choice { index(ofEntity: $0, in: side).map(String.init) ?? "NULL" }
    let value = choice { number in
      guard let key = index(ofEntity: number, in: side).flatMap({ entities[$0].key }) else {
        return "Z_PK"
      }
      let column = side == .a ? key.a.column : key.b.column
      return quoteIdentifier(rows.table.columns[column].name)
    }
    let filter = rows.condition.map { " WHERE \($0)" } ?? ""
    return """
      SELECT key, place, value, row_number() OVER (PARTITION BY place, value ORDER BY key) AS number
      FROM (SELECT Z_PK AS key, \(place) AS place, \(value) AS value
      FROM \(quoteIdentifier(rows.table.name))\(filter))
      """
  }
}

extension Column {
  /// Whether the column holds the key of this row or of another.
  fileprivate var holdsKey: Bool {
    switch content {
    case .primaryKey, .foreignKey, .inverselessKey: true
    case .entityNumber, .optimisticLock, .attribute, .entityKey, .ordering, .inverselessOrdering:
      false
    }
  }
}
