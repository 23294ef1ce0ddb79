import SQLite
import StoreFormat
import RowRewriting

extension Ledger {
  /// Compares a table of mirroring, whose rows about removed entities aren't in the new store.
  func compareRenumbered(
    _ name: String, _ connection: borrowing Connection, _ result: inout Result
  ) throws {
    guard let table = store.table(named: name), let place = table.mirroredEntityPlace else {
      return
    }
    let columns = table.columns.map(\.name)
    var pairs = try QueryPairs(
      columns, of: table.name, in: sourceSchema, and: targetSchema(name), connection)
    var account = RenumberedTable(name, columns, place: place, program)
    while let match = try pairs.next() {
      account.compare(match, pairs.first.row, pairs.second.row)
    }
    result.entries += account.entries
    result.findings += account.problems.findings
  }

  /// Compares the rows of `Z_PRIMARYKEY` for mirroring, whose highest keys only rise.
  func compareMirroringNumbers(
    _ connection: borrowing Connection, _ result: inout Result
  ) throws {
    let table = "Z_PRIMARYKEY"
    func query(_ schema: String) -> String {
      """
      SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM \(qualified(table, in: schema))
      WHERE Z_ENT >= \(MirroringTables.firstNumber) ORDER BY Z_ENT
      """
    }
    var pairs = RowPairs(
      try RowCursor(query(sourceSchema), connection),
      try RowCursor(query(targetSchema(table)), connection))
    var problems = Problems()
    while let match = try pairs.next() {
      let isSame =
        match == .both
        && pairs.first.row.holds(at: [0, 1, 2], sameAs: pairs.second.row, by: .identical)
        && pairs.second.row.int64(at: 3) >= pairs.first.row.int64(at: 3)
      if isSame { continue }
      let message = "the entity number of mirroring in '\(table)' isn't as it was"
      if match == .onlyInSecond {
        problems.report(message, pairs.second.row)
      } else {
        problems.report(message, pairs.first.row)
      }
    }
    result.findings += problems.findings
  }
}

/// The ledger entries of a table whose entity numbers change.
private struct RenumberedTable {
  private let name: String

  /// The index of the column with the entity's number.
  private let place: Int
  private let program: StoreProgram
  private(set) var entries: [LedgerEntry]
  private(set) var problems = Ledger.Problems()

  init(_ name: String, _ columns: [String], place: Int, _ program: StoreProgram) {
    self.name = name
    self.place = place
    self.program = program
    entries = columns.map { LedgerEntry(entity: name, property: $0) }
  }

  /// Compares a pair of rows; if only one store has a row, the other statement isn't read.
  mutating func compare(
    _ match: QueryPairs.Match, _ old: borrowing Statement, _ new: borrowing Statement
  ) {
    guard match != .onlyInSecond else {
      return problems.report("'\(name)' has an extra row", new)
    }
    let number = old.type(at: place) == .integer ? old.int64(at: place) : nil
    let isDropped = number.map(program.droppedEntities.contains) ?? false
    for column in entries.indices { entries[column].rows += 1 }
    guard match == .both else {
      guard isDropped else {
        return problems.report("the new store's '\(name)' doesn't have it", old)
      }
      for column in entries.indices { entries[column].setAside += 1 }
      return
    }
    if isDropped { problems.report("'\(name)' has it, and its entity is gone", old) }
    for column in entries.indices { compare(column, number, old, new) }
  }

  private mutating func compare(
    _ column: Int, _ number: Int64?, _ old: borrowing Statement, _ new: borrowing Statement
  ) {
    if column == place, let number, let expected = program.entityNumbers[number],
      expected != number
    {
      if new.type(at: column) == .integer, new.int64(at: column) == expected {
        entries[column].converted += 1
      } else {
        problems.report("'\(name)' doesn't have its entity's new number", old)
      }
    } else if old.holds(at: column, sameAs: new, at: column, by: .identical) {
      entries[column].identical += 1
    } else {
      problems.report("a value of '\(name).\(entries[column].property)' was not copied", old)
    }
  }
}
