import Platform
import SQLite
import Testing
import TestSupport
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Values of any type in any column: what isn't converted is carried to the bit.
@Suite struct StrangeValueTests {
  private static let strange: [Value] = [
    .null, .integer(.max), .integer(-1), .real(-0.0), .real(.infinity),
    .real(.leastNonzeroMagnitude),
    .real(.greatestFiniteMagnitude), .text([]), .text([0]), .text([0xFF, 0xFE, 0x80]),
    .text("not a number"), .text("' OR 1=1; --"), .blob([]), .blob([0, 1, 2]), .blob([0x02, 0x33]),
    .text("1e999"), .blob(Array("{\"a\":1}".utf8)), .text("\u{1B}[2J"),
  ]

  /// The columns of the app's tables with the names that they have before and after.
  private static let renamed = ["ZRETRYCOUNT": "ZATTEMPTCOUNT"]

  @Test func `values of other types are carried to the bit`() throws {
    let seed = printedSeed()
    var random = SeededGenerator(seed: seed)
    for round in 0..<(isTorture ? 60 : 4) {
      let folder = try TemporaryDirectory()
      let path = try makeStore(in: folder)
      try strew(path, using: &random)
      let before = try cells(of: path)
      for words in lookingCommands(at: path) {
        let problem = run(words).problem(allowing: nothingThere[words[0]] ?? [])
        #expect(problem == nil, "seed \(seed), round \(round)")
      }
      let applied = run(["apply", path, "--user-id", "somebody"])
      #expect(applied.problem() == nil, "seed \(seed), round \(round)")
      let after = try cells(of: path)
      if applied.status == 0 {
        for (cell, value) in before where !cell.contains(".ZPAYLOAD") {
          #expect(after[cell] == value, "seed \(seed), round \(round): \(cell)")
        }
      } else {
        #expect(after == before, "seed \(seed), round \(round)")
      }
    }
  }

  @Test(arguments: [Value.integer(7), .real(0.5)])
  func `a number in a converted column is refused by its row`(value: Value) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(in: folder)
    try spoil(path, "UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = ?1 WHERE Z_PK = 5", [value])
    for command in [["plan", path], ["apply", path]] {
      let answer = run(command + ["--user-id", "somebody"])
      #expect(answer.status == 4)
      #expect(answer.error.contains("SDOutboxEvent/5: 'payload'"), "\(answer.error)")
    }
  }

  /// A text of digits in a column of numbers can't come from a statement: SQLite would convert it.
  @Test func `a value that its column would convert is carried, or refused by its row`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(in: folder)
    for (column, type) in [("ZRETRYCOUNT", "INTEGER"), ("ZSTATUS", "VARCHAR")] {
      let other = type == "INTEGER" ? "VARCHAR" : "INTEGER"
      let swap = "UPDATE sqlite_schema SET sql = replace(sql, '\(column) ?1', '\(column) ?2')"
      let (to, back) = (
        swap.replacing("?1", with: type).replacing("?2", with: other),
        swap.replacing("?1", with: other).replacing("?2", with: type)
      )
      try spoil(path, to)
      try spoil(
        path, "UPDATE ZSDOUTBOXEVENT SET \(column) = ?1 WHERE Z_PK = 3",
        [type == "INTEGER" ? .text("12") : .integer(12)])
      try spoil(path, back)
    }
    let before = try cells(of: path)
    let applied = run(["apply", path, "--user-id", "somebody"])
    #expect(applied.problem() == nil)
    if applied.status == 0 {
      #expect(try cells(of: path)["ZSDOUTBOXEVENT/3.ZATTEMPTCOUNT"] == "text:3132")
    } else {
      #expect(applied.error.contains("SDOutboxEvent"), "\(applied.error)")
      #expect(try cells(of: path) == before)
    }
  }

  /// Puts strange values into random cells, and into no key.
  private func strew(_ path: String, using random: inout SeededGenerator) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    for table in try tables(connection) {
      let columns = try connection.rows("PRAGMA table_info(\(table))").compactMap { $0[1].string }
      for column in columns where column.hasPrefix("Z") && !["Z_PK", "Z_ENT"].contains(column) {
        guard column != "ZPAYLOAD", Int.random(in: 0..<3, using: &random) == 0 else { continue }
        let value = Self.strange.randomElement(using: &random) ?? .null
        try connection.execute(
          "UPDATE OR IGNORE \(table) SET \(column) = ?1 WHERE Z_PK % 5 = ?2",
          [value, .integer(Int64.random(in: 0..<5, using: &random))])
      }
    }
    try connection.walCheckpointTruncate()
  }

  private func tables(_ connection: borrowing Connection) throws -> [String] {
    try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'ZSD%' ORDER BY name"
    ).compactMap { $0[0].string }
  }

  /// Every cell with its type and bits, by table, key and the column's newest name.
  private func cells(of path: String) throws -> [String: String] {
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    var cells: [String: String] = [:]
    for table in try tables(connection) {
      var statement = try connection.prepare("SELECT * FROM \(table)")
      while try statement.step() {
        for (place, name) in statement.columnNames.enumerated() {
          let column = Self.renamed[name] ?? name
          cells["\(table)/\(statement.int64(at: 0)).\(column)"] = text(statement.value(at: place))
        }
      }
    }
    return cells
  }

  private func text(_ value: Value) -> String {
    switch value {
    case .null: "null"
    case .integer(let number): "integer:\(number)"
    case .real(let number): "real:\(String(number.bitPattern, radix: 16))"
    case .text(let bytes): "text:\(Hexadecimal.encode(bytes))"
    case .blob(let bytes): "blob:\(Hexadecimal.encode(bytes))"
    }
  }
}
