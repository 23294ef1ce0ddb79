import SQLite
import StoreFormat
import StoreModel

/// The rows that a smaller result has: each class and edge of the whole, closed under links.
///
/// The choice is in temporary tables of the original's connection; SQLite keeps them in a file.
struct RowChoice {
  /// A column that leads from a table to rows of another.
  private struct Link {
    let table: Int
    let column: String
    let target: Int
  }

  private let tables: [TableShape]
  private let layout: StoreLayout
  private let links: [Link]
  private let rows: Int64

  init(_ tables: [TableShape], model: Model, store: StoreDescription, rows: Int) {
    self.tables = tables
    self.rows = Int64(rows)
    let layout = store.layout(of: model)
    self.layout = layout
    func place(_ name: String) -> Int? {
      tables.firstIndex { $0.name.uppercased() == name.uppercased() }
    }
    links = layout.tables.flatMap { table in
      table.columns.compactMap { column -> Link? in
        guard let link = model.link(in: column), let from = place(table.name),
          let target = layout.table(of: link.entity).flatMap({ place($0.name) }),
          tables[from].columns.contains(where: { $0.column == column.name })
        else { return nil }
        return Link(table: from, column: column.name, target: target)
      }
    }
  }

  /// Chooses the rows.
  ///
  /// - Complexity: O(*n* log *n*) in the number of rows.
  func choose(_ connection: borrowing Connection, words: KeptWords) throws {
    try connection.execute(
      """
      CREATE TEMP TABLE chosen (place INTEGER, key INTEGER, PRIMARY KEY (place, key)) WITHOUT ROWID;
      CREATE TEMP TABLE numbers (number INTEGER PRIMARY KEY, place INTEGER)
      """)
    for (index, name) in layout.numbering.names.enumerated() {
      guard let table = layout.table(of: name),
        let place = tables.firstIndex(where: { $0.name.uppercased() == table.name.uppercased() })
      else { continue }
      try connection.execute(
        "INSERT INTO temp.numbers VALUES (?1, ?2)",
        [.integer(Int64(index + 1)), .integer(Int64(place))])
    }
    for place in tables.indices where tables[place].isOfEntity {
      try chooseClasses(of: place, connection, words)
    }
    for link in links { try chooseEdges(of: link, connection) }
    for join in layout.joinTables { try chooseEdges(of: join, connection) }
    try chooseOthers(connection)
    try close(connection)
  }

  /// Chooses the first row of each class: the form of each value, and which links it has.
  private func chooseClasses(
    of place: Int, _ connection: borrowing Connection, _ words: KeptWords
  ) throws {
    let table = tables[place]
    var known: Set<UInt64> = []
    var addition = try connection.prepare("INSERT OR IGNORE INTO temp.chosen VALUES (?1, ?2)")
    var reading = try connection.prepare(
      table.query.replacingFirstList(with: "Z_PK, "))
    while try reading.step() {
      var form: [UInt8] = []
      for (index, column) in table.columns.enumerated() {
        form += RowForm.of(reading.value(at: index + 1), column, words) + [0]
      }
      guard known.count < 100_000, known.insert(form.stableHash).inserted else { continue }
      try addition.bind([.integer(Int64(place)), .integer(reading.int64(at: 0))])
      try addition.run()
    }
  }

  /// Chooses a link to a missing row, and rows with none, one and several others that lead to them.
  private func chooseEdges(of link: Link, _ connection: borrowing Connection) throws {
    let (table, target) = (name(link.table), name(link.target))
    let column = quoteIdentifier(link.column)
    try add(
      link.table,
      "SELECT Z_PK FROM \(table) WHERE \(column) NOT IN (SELECT Z_PK FROM \(target)) LIMIT 1",
      connection)
    for condition in ["count(\(column)) = 1", "count(\(column)) > 1"] {
      let owner = """
        SELECT \(column) FROM \(table) WHERE \(column) IS NOT NULL GROUP BY \(column)
        HAVING \(condition) ORDER BY count(\(column)), \(column) LIMIT 1
        """
      try add(
        link.table, "SELECT Z_PK FROM \(table) WHERE \(column) = (\(owner)) LIMIT 10", connection)
    }
    try add(
      link.target,
      """
      SELECT Z_PK FROM \(target) WHERE NOT EXISTS
        (SELECT 1 FROM \(table) AS other WHERE other.\(column) = \(target).Z_PK) LIMIT 1
      """, connection)
  }

  private func chooseEdges(of join: JoinTable, _ connection: borrowing Connection) throws {
    let table = "main.\(quoteIdentifier(join.name))"
    for (side, other) in [(join.first, join.second), (join.second, join.first)] {
      // The column of a side has the keys of its rows.
      let (key, otherKey) = (quoteIdentifier(side.keyColumn), quoteIdentifier(other.keyColumn))
      guard let here = place(of: side.entity), let there = place(of: other.entity) else { continue }
      for condition in ["count(*) = 1", "count(*) > 1"] {
        let owner =
          "SELECT \(key) FROM \(table) GROUP BY \(key) HAVING \(condition) ORDER BY count(*), \(key) LIMIT 1"
        try add(here, owner, connection)
        try add(
          there, "SELECT \(otherKey) FROM \(table) WHERE \(key) = (\(owner)) LIMIT 10", connection)
      }
    }
  }

  /// Adds rows from all of a table until it has its share of the number that was asked for.
  private func chooseOthers(_ connection: borrowing Connection) throws {
    var counts: [Int: Int64] = [:]
    for place in tables.indices where tables[place].isOfEntity {
      counts[place] = try connection.value("SELECT count(*) FROM \(name(place))")?.int64 ?? 0
    }
    let total = max(1, counts.values.reduce(0, +))
    for (place, count) in counts.sorted(by: { $0.key < $1.key }) where count > 0 {
      let chosen =
        // A join table may lead to rows that aren't there.
        try connection.value(
          """
          SELECT count(*) FROM temp.chosen WHERE place = \(place)
          AND key IN (SELECT Z_PK FROM \(name(place)))
          """)?.int64 ?? 0
      let share = min(count, Int64((Double(rows) * Double(count) / Double(total)).rounded()))
      let (wanted, others) = (share - chosen, count - chosen)
      guard wanted > 0 else { continue }
      try add(
        place,
        """
        SELECT Z_PK FROM (SELECT Z_PK, row_number() OVER (ORDER BY Z_PK) AS row FROM \(name(place))
          WHERE Z_PK NOT IN (SELECT key FROM temp.chosen WHERE place = \(place)))
        WHERE row * \(wanted) / \(others) > (row - 1) * \(wanted) / \(others)
        """, connection)
    }
  }

  /// Adds the rows that chosen rows link to, until there are no more.
  private func close(_ connection: borrowing Connection) throws {
    var hasGrown = true
    while hasGrown {
      hasGrown = false
      for link in links {
        let column = quoteIdentifier(link.column)
        let added = try add(
          link.target,
          """
          SELECT Z_PK FROM \(name(link.target)) WHERE Z_PK IN (SELECT \(column) FROM \(name(link.table))
            WHERE Z_PK IN (SELECT key FROM temp.chosen WHERE place = \(link.table)))
          """, connection)
        if added > 0 { hasGrown = true }
      }
    }
  }

  @discardableResult
  private func add(
    _ place: Int, _ query: String, _ connection: borrowing Connection
  ) throws -> Int64 {
    try connection.execute(
      "INSERT OR IGNORE INTO temp.chosen SELECT \(place), * FROM (\(query))", [])
    return connection.changes
  }

  private func name(_ place: Int) -> String { "main.\(quoteIdentifier(tables[place].name))" }

  private func place(of entity: String) -> Int? {
    layout.table(of: entity).flatMap { table in
      tables.firstIndex { $0.name.uppercased() == table.name.uppercased() }
    }
  }
}

extension RowChoice {
  /// Returns the condition for a table's chosen rows; empty for a table that is copied whole.
  func condition(for place: Int) -> String {
    let table = tables[place]
    if table.isOfEntity {
      return " WHERE Z_PK IN (SELECT key FROM temp.chosen WHERE place = \(place))"
    }
    if let join = layout.joinTables.first(where: {
      $0.name.uppercased() == table.name.uppercased()
    }) {
      let ends = [join.first, join.second].compactMap { side in
        self.place(of: side.entity).map { end in
          "\(quoteIdentifier(side.keyColumn)) IN (SELECT key FROM temp.chosen WHERE place = \(end))"
        }
      }
      return " WHERE " + ends.joined(separator: " AND ")
    }
    if SystemTables.names.contains(table.name.uppercased()) { return "" }
    let names = Set(table.columns.map { $0.column.uppercased() })
    for (entity, key) in [("ZENTITYID", "ZENTITYPK"), ("ZENTITY", "ZENTITYPK")]
    where names.isSuperset(of: [entity, key]) {
      return """
         WHERE EXISTS (SELECT 1 FROM temp.numbers AS n JOIN temp.chosen AS c
          ON c.place = n.place AND c.key = \(key) WHERE n.number = \(entity))
        """
    }
    return " LIMIT \(rows)"
  }
}

extension String {
  /// Adds columns to the list of a `SELECT`.
  fileprivate func replacingFirstList(with columns: String) -> String {
    "SELECT " + columns + dropFirst("SELECT ".count)
  }
}
