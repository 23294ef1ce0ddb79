import JSONText
import SQLite
import StoreFormat

extension Ledger {
  /// Compares a rewritten table row by row: a bijection of keys, and every cell accounted for.
  func compareRewritten(
    _ rows: RowProgram, _ connection: borrowing Connection, _ result: inout Result
  ) throws {
    try rows.prepare(connection, schema: sourceSchema)
    var old = try connection.prepare(rows.query(schema: sourceSchema), isPersistent: true)
    let columns = rows.table.columns.map { quoteIdentifier($0.name) }.joined(separator: ", ")
    let table = "\(quoteIdentifier(targetSchema)).\(quoteIdentifier(rows.table.name))"
    var new = try connection.prepare(
      "SELECT \(columns) FROM \(table) ORDER BY Z_PK", isPersistent: true)
    var comparison = RowComparison(rows)
    while try old.step() {
      guard try new.step(), old.int64(at: 0) == new.int64(at: 0) else {
        report(1, "'\(rows.sourceEntity)' has a row that the new store doesn't have", old, &result)
        break
      }
      result.rows += 1
      comparison.compare(old, new)
    }
    if try new.step() {
      report(1, "'\(rows.table.rootEntity)' has a row too many", new, &result)
    }
    result.entries += comparison.entries
    result.findings += comparison.findings
  }
}

/// Compares the rows of one rewritten table and keeps its accounts.
struct RowComparison: ~Copyable {
  private let rows: RowProgram
  private var accounts: [Account]
  private(set) var findings: [Finding] = []
  private var converter = PayloadConverter()

  /// The account of one column of the source.
  private struct Account {
    var entry: LedgerEntry
    let column: Int

    /// The columns of the target in which the value stands, with the form it has there.
    let places: [(place: Int, form: RowProgram.Cell)]
    let isDropped: Bool
  }

  init(_ rows: RowProgram) {
    self.rows = rows
    accounts = rows.sourceColumns.enumerated().compactMap { column, content in
      guard case .named = content, column != 1 else { return nil }
      let cell = RowProgram.Cell.column(column)
      let places = rows.cells.enumerated().flatMap { place, target in
        target.forms(of: cell).map { (place: place, form: $0) }
      }
      return Account(
        entry: LedgerEntry(entity: rows.sourceEntity, property: rows.sourceProperties[column]),
        column: column, places: places,
        isDropped: rows.drops.contains { $0.cells.contains(cell) })
    }
  }

  var entries: [LedgerEntry] { accounts.map(\.entry) }

  mutating func compare(_ old: borrowing Statement, _ new: borrowing Statement) {
    for place in rows.cells.indices { checkFixed(place, old, new) }
    for index in accounts.indices { account(index, old, new) }
  }

  /// Cells that don't come from a value of the row: constants and entity numbers.
  private mutating func checkFixed(
    _ place: Int, _ old: borrowing Statement, _ new: borrowing Statement
  ) {
    let isRight =
      switch rows.cells[place] {
      case .constant(let value): new.value(at: place) == value
      case .entityNumber(let column):
        old.isNull(at: column)
          ? new.isNull(at: place)
          : new.int64(at: place) == rows.entityNumbers[old.int64(at: column)]
      case .constantWherePresent(let value, let column):
        new.value(at: place) == (old.isNull(at: column) ? .null : value)
      case .column, .converted, .conditional, .missingOption: true
      }
    if !isRight { report("'\(rows.table.columns[place].name)' isn't what every row should have", old) }
  }

  private mutating func account(
    _ index: Int, _ old: borrowing Statement, _ new: borrowing Statement
  ) {
    accounts[index].entry.rows += 1
    let column = accounts[index].column
    for (place, form) in accounts[index].places {
      switch form {
      case .column where old.holds(at: column, sameAs: new, at: place):
        accounts[index].entry.identical += 1
        return
      case .converted(.jsonText, _):
        if accountPayload(index, old, new, place: place) { return }
      default: break
      }
    }
    if accounts[index].isDropped || accounts[index].places.isEmpty {
      accounts[index].entry.setAside += 1
    } else {
      report("the value of '\(accounts[index].entry.property)' was not carried", old)
    }
  }

  /// Converts a metadata text back and compares it with the payload.
  private mutating func accountPayload(
    _ index: Int, _ old: borrowing Statement, _ new: borrowing Statement, place: Int
  ) -> Bool {
    let column = accounts[index].column
    let isEmpty = old.isNull(at: column) || old.byteCount(at: column) == 0
    if new.isNull(at: place) || isEmpty {
      guard new.isNull(at: place) && isEmpty else { return false }
      accounts[index].entry.converted += 1
      return true
    }
    let outcome = old.withBytes(at: column) { payload in
      new.withBytes(at: place) { metadata in
        Self.compare(payload, with: metadata, &converter)
      }
    }
    switch outcome {
    case .identical: accounts[index].entry.converted += 1
    case .normalised(let count):
      accounts[index].entry.normalised += 1
      accounts[index].entry.whitespaceBytes += Int64(count)
    case .different: return false
    }
    return true
  }

  private enum Outcome {
    case identical
    case normalised(Int)
    case different
  }

  private static func compare(
    _ payload: Span<UInt8>, with metadata: Span<UInt8>, _ converter: inout PayloadConverter
  ) -> Outcome {
    switch converter.revert(metadata) {
    case .base64:
      return converter.withOutput { payload.holdsSameBytes(as: $0) } ? .identical : .different
    case .json, .other:
      if payload.holdsSameBytes(as: metadata) { return .identical }
      guard let count = payload.whitespaceBeyond(metadata) else { return .different }
      return .normalised(count)
    }
  }

  private mutating func report(_ message: String, _ row: borrowing Statement) {
    guard findings.count < Ledger.findingLimit else { return }
    findings.append(Finding(.ledger, "\(rows.sourceEntity)/\(row.int64(at: 0)): \(message)"))
  }
}

extension Span<UInt8> {
  func holdsSameBytes(as other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }

  /// Returns how many bytes this JSON text has more than another, if they are all insignificant
  /// white space; none if the texts differ otherwise.
  ///
  /// White space counts as insignificant outside of strings only; a string ends at a quote that no
  /// backslash escapes.
  func whitespaceBeyond(_ compact: Span<UInt8>) -> Int? {
    var place = 0
    var isInString = false
    var isEscaped = false
    for index in indices {
      let byte = self[index]
      if !isInString, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { continue }
      guard place < compact.count, compact[place] == byte else { return nil }
      place += 1
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = isInString
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      }
    }
    return place == compact.count ? count - compact.count : nil
  }
}
