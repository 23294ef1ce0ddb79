import Platform
import SQLite
import StoreFormat
import TestSupport

/// Random damage to a store: to its rows, its tables, its pages and what is beside it.
struct StoreMischief {
  private var random: SeededGenerator
  private let path: String

  init(_ path: String, seed: UInt64) {
    random = SeededGenerator(seed: seed)
    self.path = path
  }

  private enum Kind: CaseIterable {
    case nothing, equalValues, missingValues, lostIndex, wrongIndex, strangeRows, highKeys, page
    case bytes, end, hardLink, largeValue, snapshots
  }

  /// Does one kind of damage, and returns its name.
  mutating func run() throws -> String {
    let kind = Kind.allCases.randomElement(using: &random) ?? .nothing
    switch kind {
    case .nothing: break
    case .equalValues: try update { "\($0) = (SELECT \($0) FROM \($1) LIMIT 1)" }
    case .missingValues: try update { column, _ in "\(column) = NULL" }
    case .strangeRows:
      let number = random.number(9)
      try update { _, _ in "Z_ENT = \(number)" }
    case .highKeys:
      try execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(random.number(5))")
    case .lostIndex: try loseIndex()
    case .wrongIndex: try spoilIndex()
    case .page, .bytes, .end: try spoilFile(kind)
    case .hardLink: try FileSystem.link(path, to: path + ".other")
    case .largeValue:
      let folder = StoreFiles(path: path).externalDataFolder
      try? FileSystem.createDirectory(String(folder.dropLast("/_EXTERNAL_DATA".count)))
      try? FileSystem.createDirectory(folder)
      try FileSystem.createDirectory(folder + "/folder")
    case .snapshots: try FileSystem.symbolicLink(path + ".snapshots", to: "/dev/null")
    }
    return "\(kind)"
  }

  private func execute(_ statements: String) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.set(.defensive, to: false)
    try connection.execute("PRAGMA writable_schema = ON")
    try connection.execute(statements)
    try connection.walCheckpointTruncate()
  }

  private mutating func anyTable() throws -> (name: String, columns: [String]) {
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let tables = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'Z[A-Z]*'"
    ).compactMap { $0[0].string }
    let table = tables.randomElement(using: &random) ?? "Z_METADATA"
    let columns = try connection.rows("PRAGMA table_info(\(table))").compactMap { $0[1].string }
      .filter { !$0.hasPrefix("Z_") }
    return (table, columns)
  }

  /// Updates some rows of a table by a text for a random column.
  private mutating func update(_ assignment: (String, String) -> String) throws {
    let (table, columns) = try anyTable()
    guard let column = columns.randomElement(using: &random) else { return }
    try execute(
      """
      UPDATE OR IGNORE \(table) SET \(assignment(column, table))
      WHERE Z_PK % \(random.number(4) + 1) = 0
      """)
  }

  private mutating func anyIndex() throws -> (name: String, table: String)? {
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    return try connection.rows(
      "SELECT name, tbl_name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
    ).compactMap { row in row[0].string.flatMap { name in row[1].string.map { (name, $0) } } }
      .randomElement(using: &random)
  }

  /// Drops an index, and repeats values in its table.
  private mutating func loseIndex() throws {
    guard let (index, _) = try anyIndex() else { return }
    try execute("DROP INDEX \(quoteIdentifier(index))")
    try update { "\($0) = (SELECT \($0) FROM \($1) LIMIT 1)" }
  }

  /// Changes rows while SQLite doesn't see an index of their table.
  private mutating func spoilIndex() throws {
    guard let (index, table) = try anyIndex() else { return }
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.set(.defensive, to: false)
    try connection.execute("PRAGMA writable_schema = ON")
    let name = Value.text(index)
    let schema = try connection.rows(
      "SELECT rowid, type, name, tbl_name, rootpage, sql FROM sqlite_schema WHERE name = ?1", [name]
    )[0]
    try connection.execute("DELETE FROM sqlite_schema WHERE name = ?1", [name])
    try connection.execute("PRAGMA writable_schema = RESET")
    let columns = try connection.rows("PRAGMA table_info(\(table))").compactMap { $0[1].string }
      .filter { !$0.hasPrefix("Z_") }
    if let column = columns.randomElement(using: &random) {
      try connection.execute(
        "UPDATE OR IGNORE \(table) SET \(column) = (SELECT max(\(column)) FROM \(table)) WHERE rowid % 3 = 0"
      )
    }
    try connection.execute("PRAGMA writable_schema = ON")
    try connection.execute(
      """
      INSERT INTO sqlite_schema (rowid, type, name, tbl_name, rootpage, sql)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """, schema)
    try connection.execute("PRAGMA writable_schema = RESET")
    try connection.walCheckpointTruncate()
  }

  private mutating func spoilFile(_ kind: Kind) throws {
    var bytes = try FileSystem.read(path)
    let pages = bytes.count / 4096
    switch kind {
    case .page:
      let page = Int(random.number(UInt64(pages - 1))) + 1
      for place in page * 4096..<(page + 1) * 4096 { bytes[place] = 0 }
    case .end: bytes.removeLast(4096 * Int(random.number(UInt64(min(pages - 1, 3))) + 1))
    default:
      for _ in 0..<random.number(4) + 1 {
        // Headers of pages and their first cells more often than what is behind them.
        let page = Int(random.number(UInt64(pages)))
        let place = Int(random.number(random.number(2) == 0 ? 24 : 4096))
        bytes[page * 4096 + place] = UInt8(random.number(256))
      }
    }
    try FileSystem.remove(path)
    try FileSystem.create(path, bytes)
  }
}
