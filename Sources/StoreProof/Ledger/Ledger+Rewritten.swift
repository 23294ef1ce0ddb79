import JSONText
import SQLite
import StoreFormat
import StoreModel
import RowRewriting
import OutboxConversion

extension Ledger {
  /// Returns the query of the new store's rows.
  private func newRows(of table: Table) -> String {
    let columns = table.columns.map { quoteIdentifier($0.name) }.joined(separator: ", ")
    return
      "SELECT \(columns) FROM \(qualified(table.name, in: targetSchema(table.name))) ORDER BY Z_PK"
  }

  /// Compares a rewritten table: keys match one to one, and every cell is accounted for.
  func compareRewritten(
    _ rows: RowProgram, _ connection: borrowing Connection, _ result: inout Result
  ) throws {
    try rows.prepare(connection, schema: sourceSchema)
    let further = furtherColumns(rows)
    let (query, computed) = query(of: rows, adding: further)
    var pairs = RowPairs(
      try RowCursor(query, connection), try RowCursor(newRows(of: rows.table), connection))
    var oldDigest = OptionalDigest(oldPlaces(rows, adding: further))
    var newDigest = OptionalDigest(rows.table.contentPlaces(in: rows.table.columns.map(\.name)))
    let counted = accountedColumns(of: rows)
    var comparison = RowComparison(rows, leavingOut: leftOut, counted, computed: computed)
    var problems = Problems()
    pairing: while let match = try pairs.next() {
      switch match {
      case .both:
        comparison.compare(pairs.first.row, pairs.second.row)
        oldDigest.add(pairs.first.row)
        newDigest.add(pairs.second.row)
      // One such row is enough to fail, so the comparison ends.
      case .onlyInFirst:
        problems.report(
          "'\(rows.sourceEntity)' has a row that is missing in the new store", pairs.first.row)
        break pairing
      case .onlyInSecond:
        problems.report("'\(rows.table.rootEntity)' has an extra row", pairs.second.row)
        break pairing
      }
    }
    var entries = comparison.entries
    try accountForRemoved(rows, &entries, connection, &result)
    try compareSplit(rows, &entries, connection, &result)
    result.entries += entries
    result.findings += problems.findings + comparison.findings
    if rows.split == nil { reportUnread(rows, &result) }
    // Where the comparison ended early, the digests lack the rows after it.
    guard problems.findings.isEmpty else { return }
    if let digest = oldDigest.finish() { result.digests.old[rows.sourceTable] = digest }
    if let digest = newDigest.finish() { result.digests.new[rows.table.name] = digest }
  }

  /// Returns the query of the old rows, and for each cell that formulas determine its column there.
  private func query(
    of rows: RowProgram, adding further: [String]
  ) -> (sql: String, computed: [Int: Int]) {
    let witnessed = WitnessedColumns(
      of: rows, in: program, schema: sourceSchema, after: rows.sourceColumns.count + further.count)
    let sql = rows.query(
      schema: sourceSchema, adding: further, replacing: witnessed.replaced,
      further: witnessed.further)
    return (sql, witnessed.places)
  }

  /// Returns the columns of the content hash that the program doesn't read.
  private func furtherColumns(_ rows: RowProgram) -> [String] {
    guard let table = sourceTable(of: rows) else { return [] }
    return table.contentColumns.filter { !rows.sourceColumns.contains(.named($0)) }
  }

  /// Returns the indices of the content hash's columns in the query with further columns.
  ///
  /// The result is `nil` if the query omits rows.
  private func oldPlaces(_ rows: RowProgram, adding further: [String]) -> [Int]? {
    guard rows.carriesAllRows else { return nil }
    let names = rows.sourceColumns.map { if case .named(let name) = $0 { name } else { "" } }
    return sourceTable(of: rows)?.contentPlaces(in: names + further)
  }

  private func sourceTable(of rows: RowProgram) -> Table? {
    program.sourceLayout.tables.first { $0.name == rows.sourceTable }
  }

  /// Reports columns that the program doesn't read: their values would be lost without a finding.
  ///
  /// Columns that only complete a link aren't reported, because the link's key has an entry. Nor
  /// are those of dropped entities, whose rows are dropped as a whole, and of entities whose rows
  /// another program writes.
  private func reportUnread(_ rows: RowProgram, _ result: inout Result) {
    for column in sourceTable(of: rows)?.columns ?? []
    where !rows.sourceColumns.contains(.named(column.name))
      && !isMoved(column.name, of: rows.sourceTable)
    {
      switch column.content {
      case .primaryKey, .entityNumber, .optimisticLock, .entityKey, .ordering, .inverselessKey,
        .inverselessOrdering:
        break
      case .foreignKey where isRelinked(column.name, of: rows.sourceTable): break
      case .attribute(let entity, _, _) where isDropped(entity) || isElsewhere(entity, rows): break
      case .foreignKey(let entity, _) where isDropped(entity) || isElsewhere(entity, rows): break
      case .attribute, .foreignKey:
        result.findings.append(
          Finding(
            .ledger,
            "values weren't counted: '\(rows.sourceEntity).\(column.content.property ?? column.name)'"
          ))
      }
    }
  }
}

extension Ledger {
  /// Returns whether a column's links are accounted for with those that are stored elsewhere now.
  private func isRelinked(_ column: String, of table: String) -> Bool {
    program.relinked.contains { $0.sourceColumns(of: table).contains(column) }
  }

  /// Returns whether the target has neither a source's entity nor one of its sub-entities.
  private func isDropped(_ entity: String) -> Bool {
    guard let model = store.cachedModel else { return false }
    let numbering = program.sourceLayout.numbering
    return numbering.names.filter { model.inherits($0, from: entity) }.allSatisfy { name in
      numbering.number(of: name).map { program.droppedEntities.contains(Int64($0)) } == true
    }
  }
}

extension Ledger {
  /// Returns whether the rows of a source's entity are in another program than this one.
  private func isElsewhere(_ entity: String, _ rows: RowProgram) -> Bool {
    guard let model = store.cachedModel, !rows.entityNumbers.isEmpty else { return false }
    return !rows.entityNumbers.keys.contains { number in
      program.sourceLayout.numbering.name(of: Int(number)).map {
        model.inherits($0, from: entity)
      } ?? true
    }
  }
}

extension Span<UInt8> {
  /// Returns the number of bytes of insignificant whitespace that this JSON text has beyond
  /// another.
  ///
  /// The result is `nil` if the texts differ in any other way. Whitespace is insignificant outside
  /// of strings only; a string ends at a quote that no backslash escapes.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  package func whitespaceBeyond(_ compact: Span<UInt8>) -> Int? {
    var (index, place) = (0, 0)
    while index < count {
      let byte = self[index]
      index += 1
      if byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { continue }
      guard place < compact.count, compact[place] == byte else { return nil }
      place += 1
      guard byte == UInt8(ascii: "\"") else { continue }
      let end = endOfQuotedBytes(from: index)
      let length = end - index
      guard length <= compact.count - place,
        extracting(index..<end).holdsSameBytes(as: compact.extracting(place..<place + length))
      else { return nil }
      (index, place) = (end, place + length)
    }
    return place == compact.count ? count - compact.count : nil
  }
}
