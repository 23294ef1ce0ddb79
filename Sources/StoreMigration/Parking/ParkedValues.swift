import Migrations
import StoreProof
import JSONText
import Platform
import SQLite
import StoreFormat
import StoreModel
import OutboxConversion

/// Restores the parked values of one file to a store.
struct ParkedValues {
  /// The file.
  let file: NestedFile

  /// The model of that store.
  let model: Model

  /// Returns the schema name of the store's table with a name; links lead to its rows.
  let schema: (String) -> String

  /// The number of values and rows that were restored, and of those that no longer fit.
  struct Outcome: Hashable {
    var restored: Int64 = 0
    var left: Int64 = 0

    /// The whole rows that weren't restored; their links aren't theirs.
    fileprivate(set) var unrestored: Set<String> = []
  }

  /// Checks the whole file, and returns its header and the number of parked values and rows.
  ///
  /// - Throws: A `JSONError` with the place of the first line that isn't as `Files.md` says, or a
  ///   `SystemError`.
  static func content(of file: NestedFile) throws -> (header: ParkingHeader, count: Int64) {
    try file.refuseLink()
    guard try file.statusIfPresent()?.kind == .regular else {
      throw JSONError(
        file: file.path, position: .start,
        reason: .rejected("not a regular file"))
    }
    var lines = LineReader(try file.open())
    guard let first = try lines.next() else { throw lines.error("the file is empty") }
    let header = try ParkingHeader(parsing: first, file: file.path)
    var count: Int64 = 0
    while let line = try lines.next() {
      do throws(JSONError) {
        let row = try ParkedRow(parsing: line, file: file.path)
        count += Int64(row.isWhole ? 1 : row.values.count)
      } catch {
        // The parser's message could repeat a value: report the position only.
        throw lines.error("not a parked row")
      }
    }
    return (header, count)
  }

  /// Restores the values that fit.
  ///
  /// A value fits if its row exists and still has the value's stand-in. A whole row fits if its
  /// entity exists and its key is free. A link fits if there is a row at its end, too: rows come
  /// first, and then the links.
  ///
  /// - Parameters:
  ///   - schema: The store's schema name.
  ///   - layout: The store's layout.
  ///   - connection: The connection.
  /// - Returns: What was done.
  /// - Throws: A `JSONError` with the position of the first line that isn't as `Files.md`
  ///   specifies.
  @discardableResult
  func restore(
    into schema: String, layout: StoreLayout, _ connection: borrowing Connection
  ) throws -> Outcome {
    var outcome = Outcome()
    try connection.begin(.deferred)
    for restore in [restoreRow, restoreLinks] {
      var lines = LineReader(try file.open())
      _ = try lines.next()
      while let line = try lines.next() {
        let row = try ParkedRow(parsing: line, file: file.path)
        try restore(row, schema, layout, connection, &outcome)
      }
    }
    try connection.commit()
    return outcome
  }

  private func restoreRow(
    _ row: ParkedRow, into schema: String, _ layout: StoreLayout,
    _ connection: borrowing Connection, _ outcome: inout Outcome
  ) throws {
    if layout.joinTables.contains(where: { $0.path == row.entity }) { return }
    guard let number = layout.numbering.number(of: row.entity),
      let root = layout.numbering.root(of: row.entity), let table = layout.table(of: root)
    else {
      outcome.left += Int64(row.isWhole ? 1 : row.values.count)
      return
    }
    let name = qualified(table.name, in: schema)
    let fitting = fitting(row, table)
    if !row.isWhole {
      outcome.left += Int64(row.values.count - fitting.count)
      let links = ParkedLinks(table: table, schema: self.schema, layout: layout, model: model)
      for (value, column) in fitting where !links.isKey(column) && !links.isNumber(column) {
        try put(value, intoRow: row.key, of: Int64(number), in: name, connection, &outcome)
      }
    } else if fitting.count == row.values.count {
      try insert(row, of: Int64(number), into: name, connection, &outcome)
    } else {
      outcome.left += 1
      outcome.unrestored.insert("\(row.entity)/\(row.key)")
    }
  }

  /// Returns the values that the app could have written, with their columns.
  private func fitting(_ row: ParkedRow, _ table: Table) -> [(ParkedValue, Column)] {
    row.values.compactMap { value in
      table.columns.first {
        $0.name == value.column && $0.accepts(value.value, isWhole: row.isWhole, model)
      }
      .map { (value, $0) }
    }
  }

  private func restoreLinks(
    of row: ParkedRow, into schema: String, _ layout: StoreLayout,
    _ connection: borrowing Connection, _ outcome: inout Outcome
  ) throws {
    if let join = layout.joinTables.first(where: { $0.path == row.entity }) {
      return try restoreLink(row, into: schema, join, layout, connection, &outcome)
    }
    guard let number = layout.numbering.number(of: row.entity),
      let table = layout.table(of: row.entity),
      !outcome.unrestored.contains("\(row.entity)/\(row.key)")
    else { return }
    let fitting = fitting(row, table)
    let links = ParkedLinks(table: table, schema: self.schema, layout: layout, model: model)
    for (value, condition) in links.conditions(of: fitting.filter { links.isKey($0.1) })
      + links.conditions(of: fitting.filter { links.isNumber($0.1) })
    {
      let name = qualified(table.name, in: schema)
      guard row.isWhole else {
        try put(
          value, intoRow: row.key, of: Int64(number), in: name, if: condition, connection, &outcome)
        continue
      }
      // The whole row is there; a link to a row that isn't stays in the file.
      try connection.execute(
        """
        UPDATE \(name) SET \(quoteIdentifier(value.column)) = NULL
        WHERE Z_PK = ?2 AND Z_ENT = ?3 AND NOT (\(condition))
        """, [value.value, .integer(row.key), .integer(Int64(number))])
      outcome.left += connection.changes
    }
  }

  /// Puts a value into a row that is there, if what stood in for the value is still in its place.
  private func put(
    _ value: ParkedValue, intoRow key: Int64, of entity: Int64, in table: String,
    if condition: String = "TRUE", _ connection: borrowing Connection, _ outcome: inout Outcome
  ) throws {
    let column = quoteIdentifier(value.column)
    try connection.execute(
      """
      UPDATE \(table) SET \(column) = ?1 WHERE Z_PK = ?2 AND Z_ENT = ?3 AND (\(condition))
      \(value.standIn == nil ? "" : "AND \(column) IS ?4")
      """,
      [value.value, .integer(key), .integer(entity)] + [value.standIn].compactMap(\.self))
    count(connection.changes, &outcome)
  }

  /// Inserts a whole row if its key is free.
  private func insert(
    _ row: ParkedRow, of entity: Int64, into table: String, _ connection: borrowing Connection,
    _ outcome: inout Outcome
  ) throws {
    let columns = ["Z_PK", "Z_ENT"] + row.values.map(\.column)
    let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    try connection.execute(
      """
      INSERT OR IGNORE INTO \(table) (\(columns.map(quoteIdentifier).joined(separator: ", ")))
      VALUES (\(places))
      """, [.integer(row.key), .integer(entity)] + row.values.map(\.value))
    if connection.changes == 0 { outcome.unrestored.insert("\(row.entity)/\(row.key)") }
    count(connection.changes, &outcome)
  }

  private func restoreLink(
    _ row: ParkedRow, into schema: String, _ join: JoinTable, _ layout: StoreLayout,
    _ connection: borrowing Connection, _ outcome: inout Outcome
  ) throws {
    guard row.values.map(\.column) == join.columnNames else {
      outcome.left += 1
      return
    }
    let names = join.columnNames.map(quoteIdentifier).joined(separator: ", ")
    let places = join.columnNames.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let haveRows = [join.first, join.second].enumerated().compactMap { place, side in
      layout.table(of: side.entity).map {
        "EXISTS (SELECT 1 FROM \(qualified($0.name, in: self.schema($0.name))) WHERE Z_PK = ?\(place + 1))"
      }
    }
    // The link may be there, without the place that the app gave it.
    let positions = [join.first, join.second].compactMap(\.orderingColumn).map(quoteIdentifier)
    let update = positions.map { "\($0) = coalesce(\($0), excluded.\($0))" }
    let conflict =
      positions.isEmpty
      ? "NOTHING"
      : "UPDATE SET \(update.joined(separator: ", ")) WHERE "
        + positions.map { "\($0) IS NULL" }.joined(separator: " OR ")
    try connection.execute(
      """
      INSERT INTO \(qualified(join.name, in: schema)) (\(names))
      SELECT \(places) WHERE \(haveRows.joined(separator: " AND ")) ON CONFLICT DO \(conflict)
      """, row.values.map(\.value))
    count(connection.changes, &outcome)
  }

  private func count(_ changes: Int64, _ outcome: inout Outcome) {
    if changes > 0 { outcome.restored += 1 } else { outcome.left += 1 }
  }
}

extension Column {
  /// Returns whether a value is one that the app could have written into the column.
  fileprivate func accepts(_ value: Value, isWhole: Bool, _ model: Model) -> Bool {
    switch content {
    case .primaryKey, .entityNumber: false
    case .optimisticLock: isWhole && value.storageClass == .integer
    case .foreignKey, .entityKey, .ordering, .inverselessKey, .inverselessOrdering:
      value.isNull || value.storageClass == .integer
    case .attribute(let entity, let path, let type):
      value.isNull ? isOptional(entity, path, model) : type.accepts(value)
    }
  }

  private func isOptional(_ entity: String, _ path: [String], _ model: Model) -> Bool {
    guard case .attribute(let attribute) = model[entity]?[path[0]] else { return true }
    let leaf = model[entity]?.leaf(at: path.joined(separator: "."))
    return attribute.isOptional || leaf?.isOptional == true
  }
}

extension AttributeType {
  /// Returns whether a value has the stored form of this type.
  fileprivate func accepts(_ value: Value) -> Bool {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: value.storageClass == .integer
    case .double, .float, .date, .decimal:
      value.storageClass == .integer || value.storageClass == .real
    case .string, .uri: value.storageClass == .text
    case .uuid: value.storageClass == .blob && value.bytes?.count == 16
    case .binary, .transformable: value.storageClass == .blob
    case .undefined, .objectID, .composite, .codable: false
    }
  }
}
