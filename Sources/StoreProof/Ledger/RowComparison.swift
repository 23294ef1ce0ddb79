import JSONText
import SQLite
import StoreFormat
import Migrations
import RowRewriting
import OutboxConversion

/// Compares the rows of one rewritten table, and counts their values in ledger entries.
///
/// Every cell of the target is checked against the row that it comes from. The check records which
/// values of the source the cell holds; every value is then counted by what was recorded.
struct RowComparison: ~Copyable {
  let rows: RowProgram
  private var accounts: [Account]

  /// The indices of the accounts whose columns aren't copied to any cell.
  private let uncopied: [Int]
  private var rowCount: Int64 = 0

  /// The number of rows whose copied values are all identical, which accounts don't count.
  private var copiedRows: Int64 = 0
  package private(set) var findings: [Finding] = []
  var converter = PayloadConverter()

  /// The fate of each column's value in the present row.
  ///
  /// That of a copied column isn't known if all copies are identical.
  var fates: [Fate]

  /// The fate of each input of each conversion in the present row; `nil` if no cell holds it.
  var inputFates: [[Fate?]]

  /// For each conversion, the indices of the cells that hold its outputs, if any.
  let outputPlaces: [[Int?]]

  /// The links to rows that a value of the source names.
  private let namedLinks: [NamedLink]

  /// The columns with present links and positions, and those that they stand for.
  private let movedLinks: [(place: Int, old: Int)]

  /// The column of the payload of each conversion; `nil` if it doesn't convert a payload directly.
  let payloadColumns: [Int?]

  /// The cells that are compared bit by bit, resolved once; most cells are.
  private let copies: [Copy]

  /// The indices of the other cells.
  private let others: [Int]

  /// A cell of the target that holds the value of a column.
  private struct Copy {
    let place: Int
    let column: Int

    /// The column of the query with the expected value: a formula has one of its own in the proof.
    let expected: Int
  }

  /// The cells that formulas determine and that aren't copies, and the columns with their values.
  private let computed: [(place: Int, expected: Int)]

  /// Whether a conversion has inputs whose fates are judged, which those of payloads haven't.
  private let judgesInputs: Bool

  /// The fate of a value, from worst to best.
  enum Fate: Comparable {
    case nowhere

    /// The link led to a row that a step removes, and leads to none now.
    case unlinked

    /// The value was insignificant, and something else is in its place.
    case replaced
    case computed
    case clamped
    case rounded
    case normalised(Int)
    case converted
    case identical
  }

  /// The ledger entry of one column of the source.
  private struct Account {
    var entry: LedgerEntry
    let column: Int

    /// The parts of dropped properties that are this column's values.
    let drops: [RowProgram.Drop.Part]

    /// Whether a cell holds the value of the column.
    let isCopied: Bool
  }

  /// Creates a comparison that has entries of some columns; `nil` for all.
  ///
  /// `computed` has the index of a column of the query for each cell that formulas determine.
  package init(
    _ rows: RowProgram, leavingOut names: Set<String> = [],
    _ counted: Set<String>? = nil, computed: [Int: Int] = [:]
  ) {
    self.rows = rows
    let compared = rows.cells.indices.filter { !names.contains(rows.table.columns[$0].name) }
    let copies = compared.compactMap { place -> Copy? in
      guard case .column(let column) = rows.cells[place] else { return nil }
      return Copy(place: place, column: column, expected: computed[place] ?? column)
    }
    self.copies = copies
    let others = compared.filter { if case .column = rows.cells[$0] { false } else { true } }
    self.others = others
    self.computed = computed.filter { others.contains($0.key) }.map { ($0.key, $0.value) }
    fates = rows.sourceColumns.map { _ in .nowhere }
    inputFates = rows.conversions.map { $0.inputs.map { _ in nil } }
    outputPlaces = rows.conversions.enumerated().map { place, conversion in
      (0..<conversion.converter.outputCount).map { output in
        rows.cells.firstIndex(of: .converted(place, output: output))
      }
    }
    namedLinks = rows.cells.indices.compactMap { NamedLink(at: $0, in: rows) }
    movedLinks = rows.sourceColumns.enumerated().compactMap { place, column in
      guard case .derived(let derived) = column else { return nil }
      return rows.place(ofReplaced: derived).map { (place, $0) }
    }
    payloadColumns = rows.conversions.map(\.payloadColumn)
    judgesInputs = rows.conversions.contains { $0.payloadColumn == nil }
    // A property that is read before all are set has crashed optimised programs.
    let accounts = Self.accounts(
      of: rows, leavingOut: names, counted, copied: Set(copies.map(\.column)))
    self.accounts = accounts
    uncopied = accounts.indices.filter { !accounts[$0].isCopied }
  }

  private static func accounts(
    of rows: RowProgram, leavingOut names: Set<String>, _ counted: Set<String>?, copied: Set<Int>
  ) -> [Account] {
    rows.sourceColumns.enumerated().compactMap { column, content in
      guard case .named(let name) = content, !names.contains(name),
        counted?.contains(name) != false
      else { return nil }
      return Account(
        entry: LedgerEntry(entity: rows.sourceEntity, property: rows.sourceProperties[column]),
        column: column,
        drops: rows.drops.flatMap(\.parts).filter {
          $0.replacement == nil && rows.columns(of: $0.cell).contains(column)
        }, isCopied: copied.contains(column))
    }
  }

  package var entries: [LedgerEntry] {
    accounts.map { account in
      var entry = account.entry
      entry.rows = rowCount
      if account.isCopied { entry.identical += copiedRows }
      return entry
    }
  }

  package mutating func compare(_ old: borrowing Statement, _ new: borrowing Statement) {
    rowCount += 1
    // No value has a better fate than an identical one.
    let isCopied = movedLinks.isEmpty && holdsCopies(of: old, new)
    if isCopied {
      copiedRows += 1
      for index in uncopied { fates[accounts[index].column] = .nowhere }
    } else {
      compareCopies(old, new)
    }
    compareOthers(old, new)
    if isCopied {
      for index in uncopied { countFate(of: index, old) }
    } else {
      for index in accounts.indices { countFate(of: index, old) }
    }
  }

  private func holdsCopies(
    of old: borrowing Statement, _ new: borrowing Statement
  ) -> Bool {
    for copy in copies
    where !old.holds(at: copy.expected, sameAs: new, at: copy.place, by: .identical) {
      return false
    }
    return true
  }

  /// Compares the copied cells, and records the fates of all columns from the beginning.
  private mutating func compareCopies(
    _ old: borrowing Statement, _ new: borrowing Statement
  ) {
    for column in fates.indices { fates[column] = .nowhere }
    for copy in copies {
      if old.holds(at: copy.expected, sameAs: new, at: copy.place, by: .identical) {
        fates[copy.column] = .identical
      } else {
        reportCell(copy.place, old)
      }
    }
  }

  /// Whether each cell is a copy, or is compared alone, as in most tables.
  private var isSimple: Bool {
    computed.isEmpty && namedLinks.isEmpty && movedLinks.isEmpty && !judgesInputs
  }

  /// Compares the cells that aren't copies.
  private mutating func compareOthers(
    _ old: borrowing Statement, _ new: borrowing Statement
  ) {
    if !isSimple { forgetInputs() }
    for place in others where !check(rows.cells[place], at: place, old, new) {
      reportCell(place, old)
    }
    if !isSimple { compareFurther(old, new) }
  }

  private mutating func forgetInputs() {
    for place in inputFates.indices {
      for input in inputFates[place].indices { inputFates[place][input] = nil }
    }
  }

  /// Compares formulas with their columns, and records what links and conversions hold.
  private mutating func compareFurther(
    _ old: borrowing Statement, _ new: borrowing Statement
  ) {
    for cell in computed
    where !old.holds(at: cell.expected, sameAs: new, at: cell.place, by: .identical) {
      reportCell(cell.place, old)
    }
    recordInputs(old)
    for moved in movedLinks where fates[moved.place] != .nowhere {
      let isSame = old.value(at: moved.place) == old.value(at: moved.old)
      record(
        isSame ? .identical : old.isNull(at: moved.place) ? .unlinked : .computed, of: moved.old)
    }
    for link in namedLinks
    where !old.isNull(at: link.key)
      && old.holds(at: link.key, sameAs: new, at: link.place, by: .identical)
    {
      record(.converted, of: link.name)
    }
  }

  /// Counts the fate of one value in its entry.
  private mutating func countFate(of index: Int, _ old: borrowing Statement) {
    if isRestored(at: index, old) { record(.converted, of: accounts[index].column) }
    switch fates[accounts[index].column] {
    case .identical: accounts[index].entry.identical += 1
    case .converted: accounts[index].entry.converted += 1
    case .normalised(let count):
      accounts[index].entry.normalised += 1
      accounts[index].entry.whitespaceBytes += Int64(count)
    case .rounded: accounts[index].entry.rounded += 1
    case .clamped: accounts[index].entry.clamped += 1
    case .computed: accounts[index].entry.computed += 1
    case .replaced:
      accounts[index].entry.setAside += 1
      accounts[index].entry.setAsideEmpty += 1
    case .unlinked: accounts[index].entry.setAside += 1
    // A missing value can't be lost.
    case .nowhere where !accounts[index].drops.isEmpty || old.isNull(at: accounts[index].column):
      accounts[index].entry.setAside += 1
      if isEmpty(at: index, old) { accounts[index].entry.setAsideEmpty += 1 }
    case .nowhere:
      report("the value of '\(accounts[index].entry.property)' was not copied", old)
    }
  }

  /// Returns whether the inverse of a formula gives a removed value back.
  private func isRestored(at index: Int, _ old: borrowing Statement) -> Bool {
    let column = accounts[index].column
    return accounts[index].drops.contains { part in
      guard part.cell == .column(column), let restoration = part.restoration else { return false }
      return value(of: restoration, old) == old.value(at: column)
    }
  }

  /// Returns whether a value that is set aside is missing or insignificant, which is no loss.
  private func isEmpty(at index: Int, _ old: borrowing Statement) -> Bool {
    let column = accounts[index].column
    if old.isNull(at: column) { return true }
    let drops = accounts[index].drops.filter { $0.cell == .column(column) }
    return !drops.isEmpty
      && drops.allSatisfy { $0.insignificantValues.covers(old.value(at: column)) }
  }

  mutating func record(_ fate: Fate, of column: Int) {
    if fates[column] < fate { fates[column] = fate }
  }

  private mutating func reportCell(_ place: Int, _ row: borrowing Statement) {
    report("'\(rows.table.columns[place].name)' differs from the expected value", row)
  }

  private mutating func report(_ message: String, _ row: borrowing Statement) {
    guard findings.count < Ledger.findingLimit else { return }
    findings.append(Finding(.ledger, "\(rows.sourceEntity)/\(row.int64(at: 0)): \(message)"))
  }
}
