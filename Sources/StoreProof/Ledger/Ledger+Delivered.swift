import OutboxFormat
import StoreFormat
package import Platform
import JSONText
import OutboxCore
import SQLite
import RowRewriting
import OutboxConversion

extension Ledger {
  /// Compares an outbox whose rows were made deliverable.
  ///
  /// Every row of the old table must either be exactly one row of the new table, or be listed as
  /// quarantined, cancelled or folded.
  func compareDelivered(
    _ rows: RowProgram, _ delivery: Delivery, _ connection: borrowing Connection,
    _ result: inout Result
  ) throws {
    try rows.prepare(connection, schema: sourceSchema)
    let schema = targetSchema(rows.table.name)
    let columns = rows.table.columns.map { quoteIdentifier($0.name) }.joined(separator: ", ")
    var pairs = RowPairs(
      try RowCursor(rows.query(schema: sourceSchema), connection),
      try RowCursor(
        "SELECT \(columns) FROM \(qualified(rows.table.name, in: schema)) ORDER BY Z_PK", connection
      ))
    var witness = try SetAsideWitness(
      rows, delivery, setAside, connection, source: sourceSchema, target: schema)
    var comparison = DeliveredComparison(rows, delivery, leavingOut: leftOut)
    while let match = try pairs.next() {
      guard match != .onlyInSecond else {
        comparison.report("the new store has an extra row", pairs.second.row)
        break
      }
      let fate = try witness.fate(of: pairs.first.row.int64(at: 0))
      if match == .both {
        comparison.compare(pairs.first.row, pairs.second.row)
        if fate != nil { comparison.report("was both written and set aside", pairs.first.row) }
      } else if let fate {
        try comparison.setAside(fate, pairs.first.row, &witness)
      } else {
        comparison.report(
          "it is missing in the new store, without a record of why", pairs.first.row)
        break
      }
    }
    if comparison.findings.isEmpty, let key = witness.nextKey {
      comparison.report("a row was set aside that isn't in the old store", key: key)
    }
    result.entries += comparison.entries(leavingOut: leftOut)
    result.findings += comparison.findings
    result.delivery = comparison.counts
  }
}

extension DeliveredComparison {
  /// Counts a row that isn't in the target, and reports what is wrong with its listed fate.
  fileprivate mutating func setAside(
    _ fate: SetAsideRows.Fate, _ row: borrowing Statement, _ witness: inout SetAsideWitness
  ) throws {
    setAside(fate)
    if let problem = try witness.problem(with: fate, of: row) { report(problem, row) }
  }
}

/// The files that list the outbox rows that aren't in the new store.
package struct SetAside: Hashable {
  /// The file with every such row and its fate.
  package let fates: NestedFile

  /// The file with the complete quarantined rows.
  package let quarantine: NestedFile

  package init(fates: NestedFile, quarantine: NestedFile) {
    self.fates = fates
    self.quarantine = quarantine
  }
}

/// Checks the listed fates of rows that aren't in the new outbox.
///
/// The quarantine must have the complete row, or the row that stands in for it must exist.
struct SetAsideWitness: ~Copyable {
  private let rows: RowProgram
  private let delivery: Delivery
  private var fates: SetAsideReader
  private var quarantine: SetAsideReader
  private var line: SetAsideFile.Line?
  private var source: Statement
  private var target: Statement

  /// Opens the files; no row is listed in a missing file.
  package init(
    _ rows: RowProgram, _ delivery: Delivery, _ files: SetAside?,
    _ connection: borrowing Connection, source: String, target: String
  ) throws {
    let names = [delivery.target.entityID, delivery.target.metadata].map {
      quoteIdentifier(rows.table.columns[$0].name)
    }
    var fates = try SetAsideReader.open(files?.fates)
    let quarantine = try SetAsideReader.open(files?.quarantine)
    let line = try Self.line(of: &fates)
    let others = try connection.prepare(
      rows.query(schema: source, key: "?1"), isPersistent: true)
    let written = try connection.prepare(
      """
      SELECT \(names.joined(separator: ", ")) FROM \(qualified(rows.table.name, in: target))
      WHERE Z_PK = ?1
      """, isPersistent: true)
    (self.rows, self.delivery, self.line) = (rows, delivery, line)
    self.fates = fates
    self.quarantine = quarantine
    self.source = others
    self.target = written
  }

  private static func line(of fates: inout SetAsideReader) throws -> SetAsideFile.Line? {
    try fates.next("row that was set aside") { line throws(JSONError) in
      try SetAsideFile.Line(parsing: line)
    }
  }

  /// The key of the next listed row; `nil` after the last row.
  var nextKey: Int64? { line?.key }

  /// Returns the fate of a row if it is listed; keys must be passed in ascending order.
  package mutating func fate(of key: Int64) throws -> SetAsideRows.Fate? {
    guard let named = line, named.key == key else { return nil }
    line = try Self.line(of: &fates)
    return named.fate
  }

  /// Returns what is wrong with a fate, or `nil` if nothing is.
  package mutating func problem(
    with fate: SetAsideRows.Fate, of row: borrowing Statement
  ) throws -> String? {
    switch fate {
    case .quarantined(let reason): try quarantineProblem(reason, row)
    case .cancelled(let other): try cancellationProblem(other, row)
    case .folded(let other): try foldingProblem(other, row)
    }
  }

  private mutating func quarantineProblem(
    _ reason: QuarantineReason, _ row: borrowing Statement
  ) throws -> String? {
    let line = try quarantine.next("row of a quarantine") { line throws(JSONError) in
      try QuarantinedRow(parsing: line)
    }
    guard let kept = line else { return "the quarantine doesn't have it" }
    guard kept.key == row.int64(at: 0), kept.reason == reason else {
      return "the quarantine has another row instead"
    }
    for (place, column) in rows.sourceColumns.enumerated() {
      guard case .named(let name) = column, name != "Z_PK" else { continue }
      guard kept.value(of: name) == row.value(at: place) else {
        return "the quarantine doesn't have all of it"
      }
    }
    return nil
  }

  /// Checks that two cancelled rows are about one entity, and that the later one deletes it.
  private mutating func cancellationProblem(
    _ other: Int64, _ row: borrowing Statement
  ) throws -> String? {
    let own = try Subject(row, rows, delivery)
    try source.bindInt64(other, at: 1)
    guard try source.step() else { return "the row that it is cancelled with is missing" }
    let others = try Subject(source, rows, delivery)
    // Runs the statement to its end, which resets it for the next key.
    try source.run()
    guard let own, let others, own.entity == others.entity, own.isDelete != others.isDelete,
      own.isBefore(others) == others.isDelete
    else { return "the row that it is cancelled with doesn't undo it" }
    return nil
  }

  /// Checks that a row is folded into one for the same entity; both or neither must delete it.
  private mutating func foldingProblem(
    _ other: Int64, _ row: borrowing Statement
  ) throws -> String? {
    let own = try Subject(row, rows, delivery)
    try target.bindInt64(other, at: 1)
    guard try target.step() else { return "the row that it is folded into is missing" }
    let (entity, metadata) = (target.bytes(at: 0), target.bytes(at: 1))
    // Runs the statement to its end, which resets it for the next key.
    try target.run()
    let deletion = DecodedMetadata(metadata).deletion
    guard let own, own.entity == entity, own.isDelete == (deletion != nil),
      own.backendID == nil || own.backendID == deletion?.lumeID
    else { return "the row that it is folded into sends something else" }
    return nil
  }

  /// The entity, operation and position of a row of the old outbox.
  private struct Subject {
    let entity: [UInt8]
    let isDelete: Bool
    let backendID: String?
    let place: OutboxIndex.Place

    init?(_ row: borrowing Statement, _ rows: RowProgram, _ delivery: Delivery) throws {
      guard case .event(let event, _) = try delivery.reading(of: row, rows) else { return nil }
      entity = event.entity
      isDelete = event.intent.operation == .delete
      backendID = isDelete ? event.backendID : nil
      place = try delivery.place(of: row, rows)
    }

    func isBefore(_ other: Subject) -> Bool {
      (place.created, place.key) < (other.place.created, other.place.key)
    }
  }
}
