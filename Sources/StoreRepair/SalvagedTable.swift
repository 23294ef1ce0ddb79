import SQLite
import StoreFormat

/// The rows that were saved of a damaged table.
///
/// Rows that are exactly as long as they say are written first. Of two rows with one key, the first
/// counts. It remembers the pages of long values, to find those that two rows share.
struct SalvagedTable: Hashable {
  private let shape: SalvageShape

  /// The numbers of entities whose rows are in other tables.
  let foreignNumbers: Set<Int64>

  /// The number of rows on the table's pages that are another table's.
  private(set) var foreign: Int64 = 0

  /// The number of rows that were saved.
  private(set) var saved: Int64 = 0

  /// The number of these that aren't as long as they say, or lack values.
  private(set) var unsound: Int64 = 0

  /// The number of rows that have all values, but aren't as long as they say, and the first keys.
  private(set) var doubtful = LostValues()

  /// The number of cells on pages that may be free, which weren't saved: they may be deleted rows.
  private(set) var perhapsDeleted: Int64 = 0

  /// Whether SQLite's check finds damage in the rows, not only in indexes.
  let hasRowDamage: Bool

  /// The number of saved rows on pages that nothing leads to: the app may have deleted them.
  private(set) var stray: Int64 = 0

  /// The first row with a long value on a page, by page.
  private var users: [UInt32: Int64] = [:]

  /// The number of rows that have a page of a long value in common with another, and the first keys.
  private(set) var sharing = LostValues()

  /// Whether SQLite reads as many rows as were saved, without an error.
  private(set) var isReadWhole = false

  /// Whether a page of the table's own tree can't be read, or a cell on it.
  private var hasGaps = false

  /// The number of cells in damaged leaves that aren't rows.
  private(set) var unreadable: Int64 = 0

  /// The number of rows that weren't saved, because another has their key.
  private(set) var doubled: Int64 = 0

  /// The number of rows that an index has and the file hasn't; `nil` if no index can be read.
  private(set) var lost: Int64?

  /// The keys of the first of these rows.
  private(set) var lostKeys: [Int64] = []

  /// The keys of the first rows, and the number of all, that lack a value, by column.
  private(set) var lostValues: [String: LostValues] = [:]

  /// The numbers of the table's entities: those that are known, and those of the saved rows.
  private var entities: Set<Int64> = []

  struct LostValues: Hashable {
    private(set) var count: Int64 = 0
    private(set) var keys: [Int64] = []

    mutating func add(_ key: Int64) {
      count += 1
      if keys.count < RepairAccount.keyLimit { keys.append(key) }
    }
  }

  /// Creates a table without rows.
  ///
  /// - Parameters:
  ///   - shape: The columns of the table.
  ///   - own: The numbers of the entities whose rows are in the table, as far as they are known.
  ///   - foreign: The numbers of entities whose rows are in other tables.
  ///   - hasRowDamage: Whether SQLite's check finds damage in the rows.
  init(_ shape: SalvageShape, own: Set<Int64>, foreign: Set<Int64>, hasRowDamage: Bool) {
    (self.shape, entities, foreignNumbers) = (shape, own, foreign)
    self.hasRowDamage = hasRowDamage
  }

  var name: String { shape.name }

  /// Whether each row has the number of its entity.
  var namesEntities: Bool { shape.columns.contains("Z_ENT") }

  /// Writes the rows of all leaves of a tree.
  ///
  /// - Parameters:
  ///   - tree: The number of the tree.
  ///   - ownership: The owners of the pages.
  ///   - pages: The pages of the damaged file.
  ///   - new: A connection with the table in the new file, still empty.
  /// - Throws: A `SystemError` if a page can't be read, or a `SQLiteError` if a row can't be written.
  mutating func addRows(
    of tree: Int, _ ownership: PageOwnership, _ pages: RawPages, _ new: borrowing Connection
  ) throws {
    var rest: [UInt32] = []
    guard pages.count >= 2 else { return }
    for page in 2...pages.count where ownership.owner(of: page) == tree {
      guard let bytes = try pages.read(page), bytes[0] == 13 else {
        // An interior page was walked already; its pages have the same owner.
        hasGaps = try hasGaps || pages.read(page)?.first != 5
        continue
      }
      let cells = LeafCell.all(on: bytes, usable: pages.usable)
      if try !add(cells, soundOnly: true, pages, ownership, new) { rest.append(page) }
    }
    hasGaps = hasGaps || !rest.isEmpty
    for page in rest {
      guard let bytes = try pages.read(page) else { continue }
      let cells = LeafCell.all(on: bytes, usable: pages.usable)
      _ = try add(cells, soundOnly: false, pages, ownership, new)
    }
  }

  /// Writes the rows of some cells; returns whether all are sound.
  mutating func add(
    _ cells: [LeafCell?], soundOnly: Bool, _ pages: RawPages, _ ownership: PageOwnership,
    _ new: borrowing Connection
  ) throws -> Bool {
    var areSound = true
    var insert = try new.prepare(shape.insertion(ignoringDoubles: true))
    for cell in cells {
      let rest = try cell.map { try pages.overflow(of: $0, ownership) }
      guard let cell, let rest,
        let record = SavedRecord(cell, rest: rest.bytes, columns: shape.columns.count),
        record.isSound || !soundOnly
      else {
        areSound = false
        if !soundOnly { unreadable += 1 }
        continue
      }
      // Sound rows were written before.
      if record.isSound && !soundOnly { continue }
      if let number = entity(of: record), foreignNumbers.contains(number) {
        foreign += 1
        continue
      }
      try insert.bind(values(of: record))
      try insert.run()
      if new.changes > 0 { note(record, rest.pages) } else { doubled += 1 }
    }
    return areSound
  }

  /// Writes the rows of a page that no tree reaches; the pointer map may name the page above it.
  mutating func adopt(
    _ cells: [LeafCell?], isNamed: Bool, _ pages: RawPages, _ ownership: PageOwnership,
    _ new: borrowing Connection
  ) throws {
    let before = saved
    _ = try add(cells, soundOnly: true, pages, ownership, new)
    if !isNamed { stray += saved - before }
  }

  /// Counts the rows that SQLite has copied, and notes the numbers of their entities.
  mutating func countCopies(_ new: borrowing Connection) throws(SQLiteError) {
    let table = quoteIdentifier(name)
    saved = try new.value("SELECT count(*) FROM \(table)")?.int64 ?? 0
    let numbers = try new.rows("SELECT DISTINCT Z_ENT FROM \(table)").compactMap { $0[0].int64 }
    entities.formUnion(numbers)
  }

  /// Counts the cells of a page that may be free.
  mutating func leaveOut(_ cells: [LeafCell?]) {
    perhapsDeleted += Int64(cells.count { $0 != nil })
  }

  private func values(of record: SavedRecord) -> [Value] {
    var values = record.fields.map { field in
      if case .value(let value) = field { value } else { Value.null }
    }
    values += Array(repeating: .null, count: shape.columns.count - values.count)
    if let place = shape.keyColumn { values[place] = .integer(record.key) }
    return (shape.writesKey ? [.integer(record.key)] : []) + values
  }

  private mutating func note(_ record: SavedRecord, _ pages: Set<UInt32>) {
    saved += 1
    note(pages, of: record.key)
    if !record.isSound {
      unsound += 1
      if !record.lacksValue { doubtful.add(record.key) }
    }
    if shape.keyColumn != nil, let number = entity(of: record) { entities.insert(number) }
    for (place, field) in record.fields.enumerated() {
      guard case .lost = field, place != shape.keyColumn else { continue }
      var values = lostValues[shape.columns[place]] ?? LostValues()
      values.add(record.key)
      lostValues[shape.columns[place]] = values
    }
  }

  private mutating func note(_ pages: Set<UInt32>, of key: Int64) {
    var others: Set<Int64> = []
    for page in pages {
      if let other = users[page], other != key { others.insert(other) } else { users[page] = key }
    }
    guard !others.isEmpty else { return }
    for key in others.sorted() where !sharing.keys.contains(key) { sharing.add(key) }
    sharing.add(key)
  }

  private func entity(of record: SavedRecord) -> Int64? {
    guard let place = shape.columns.firstIndex(of: "Z_ENT"), place < record.fields.count,
      case .value(.integer(let number)) = record.fields[place]
    else { return nil }
    return number
  }

  /// Returns whether all sound rows of a page have the form of this table's.
  ///
  /// Core Data's rows have the number of their entity; those of join tables are integers.
  func canHave(
    _ cells: [LeafCell?], _ pages: RawPages, _ ownership: PageOwnership
  ) throws -> Bool {
    var isFound = false
    for cell in cells.compactMap(\.self) {
      let rest = try pages.overflow(of: cell, ownership).bytes
      guard let record = SavedRecord(cell, rest: rest, columns: .max), record.isSound else {
        continue
      }
      guard record.fields.count <= shape.columns.count else { return false }
      isFound = true
      if namesEntities {
        guard let number = entity(of: record), entities.contains(number) else { return false }
      } else {
        let areKeys = record.fields.allSatisfy {
          if case .value(.integer) = $0 { true } else { false }
        }
        guard areKeys, record.fields.count == shape.columns.count else { return false }
      }
    }
    return isFound
  }

  /// Counts the rows that an index of the table has, and that weren't saved.
  mutating func findLosses(
    _ indexes: [String], _ old: borrowing Connection, _ new: borrowing Connection
  ) throws(SQLiteError) {
    if !hasGaps { isReadWhole = try count(old) == saved }
    var present = try new.prepare(
      "SELECT 1 FROM \(quoteIdentifier(name)) WHERE rowid = ?1", isPersistent: true)
    for index in indexes {
      var (count, missing, keys) = (Int64(0), Int64(0), [Int64]())
      do throws(SQLiteError) {
        var entries = try old.prepare(
          "SELECT rowid FROM \(quoteIdentifier(name)) INDEXED BY \(quoteIdentifier(index))")
        while try entries.step() {
          count += 1
          let key = entries.int64(at: 0)
          try present.bindInt64(key, at: 1)
          if try present.step() {
            try present.run()
            continue
          }
          missing += 1
          if keys.count < RepairAccount.keyLimit { keys.append(key) }
        }
      } catch {
        guard error.isCorrupt || error.isOfStatement else { throw error }
        continue
      }
      // An index with fewer entries than rows was damaged itself.
      guard count >= saved else { continue }
      (lost, lostKeys) = (missing, keys.sorted())
      return
    }
    // If only indexes were damaged, SQLite reads the same rows. A page may have fewer cells than rows.
    if isReadWhole && !hasRowDamage { lost = 0 }
  }

  /// Returns the number of rows that SQLite reads without an index; `nil` if it fails.
  private func count(_ old: borrowing Connection) throws(SQLiteError) -> Int64? {
    do throws(SQLiteError) {
      return try old.value("SELECT count(*) FROM \(quoteIdentifier(name)) NOT INDEXED")?.int64
    } catch {
      guard error.isCorrupt else { throw error }
      return nil
    }
  }
}
