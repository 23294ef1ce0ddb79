import Platform
import SQLite
import StoreFormat
import StoreModel
import TestSupport
import Testing

import StoreMigration
@testable import FixtureCheck
import Migrations
import StoreAccess
import RowRewriting
import OutboxConversion
import StoreProof

/// Rows as text: of every real store, and of a model with everything that neither app has.
@Suite struct RowTextTests {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  /// Writes the rows of a store as an `expected.txt` does and returns them.
  private func rows(of path: String, into file: String) throws -> [RowText] {
    let inspection = try StoreInspection(path: path, catalog: .bundled)
    let model = try #require(inspection.store.cachedModel)
    var rows: [RowText] = []
    try RowTextReader(inspection.store, model: model).forEachRow(inspection.connection) { row in
      rows.append(row)
    }
    let counts = try inspection.rowCounts()
    #expect(Int64(rows.count) == counts.values.reduce(0, +))
    let title = RowText.title(app: "App", version: "1") + "\n"
    try FileSystem.create(file, Array((title + rows.map(\.text).joined()).utf8))
    return rows
  }

  private func readBack(_ file: String) throws -> [RowText] {
    var expected = try ExpectedRows(file)
    var rows: [RowText] = []
    while let row = try expected.next() { rows.append(row) }
    return rows
  }

  @Test(arguments: sample(15, of: RealStore.all))
  func `rows of real stores are read back as they were written`(store: RealStore) throws {
    let file = folder.path("expected.txt")
    let rows = try rows(of: store.copy(into: folder), into: file)
    #expect(try readBack(file) == rows)
  }

  @Test func `sub-entities, links and places are in the text`() throws {
    let zoo = try ZooStore()
    let file = folder.path("expected.txt")
    let rows = try rows(of: zoo.path, into: file)
    #expect(try readBack(file) == rows)
    let connection = try Connection(path: zoo.path, mode: .readOnlyUnshared)
    let layout = StoreLayout(ZooStore.model)
    for table in layout.tables {
      let numbers = try connection.rows("SELECT Z_PK, Z_ENT FROM \(table.name) ORDER BY Z_PK")
      let names = numbers.map { row in
        let number = Int(row[1].int64 ?? 0)
        return "\(layout.numbering.name(of: number) ?? "")/\(row[0].int64 ?? 0)"
      }
      let tree = Set(layout.numbering.tree(of: table.rootEntity))
      #expect(rows.filter { tree.contains($0.entity) }.map { "\($0.entity)/\($0.key)" } == names)
    }
    for row in rows {
      let names = row.properties.map(\.name)
      #expect(names == names.sorted() && Set(names).count == names.count)
      let own = Set(ZooStore.model.properties(of: row.entity).compactMap(Self.storedName))
      #expect(Set(names).isSuperset(of: own), "\(row.entity)")
    }
    let links = rows.flatMap(\.properties).filter { $0.value.hasPrefix("Cat/") }
    #expect(!links.isEmpty)
  }

  /// The name of a property that stands in its own row's text.
  private static func storedName(_ property: Property) -> String? {
    switch property {
    case .attribute(let attribute): attribute.isTransient ? nil : attribute.name
    case .relationship(let relationship): relationship.isToMany ? nil : relationship.name
    case .fetched: nil
    }
  }

  @Test(arguments: [
    ("NULL", AttributeType.string, "null"), ("1", .boolean, "true"), ("0", .boolean, "false"),
    ("2", .boolean, "2"), ("1", .integer16, "1"), ("1.0", .double, "1.0"), ("0.1", .double, "0.1"),
    ("-0.0", .double, "-0.0"), ("9e999", .double, "inf"), ("'1'", .string, #""1""#),
    (#"'a"b\' || char(10)"#, .string, #""a\"b\\\n""#),
    ("CAST(x'FF' AS TEXT)", .string, "text x'ff'"),
    ("x''", .binary, "x''"), ("x'00FF'", .binary, "x'00ff'"),
    (
      "x'000102030405060708090A0B0C0D0E0F'", .uuid, "00010203-0405-0607-0809-0A0B0C0D0E0F"
    ),
    ("x'000102030405060708090A0B0C0D0E0F'", .binary, "x'000102030405060708090a0b0c0d0e0f'"),
    ("x'00'", .uuid, "x'00'"),
    ("zeroblob(256)", .binary, "x'" + String(repeating: "00", count: 256) + "'"),
    (
      "zeroblob(257)", .binary,
      "257 bytes, SHA-256 \(Hexadecimal.encode(sha256([UInt8](repeating: 0, count: 257))))"
    ),
  ])
  func `different values have different words`(
    sql: String, type: AttributeType, words: String
  ) throws {
    let connection = try Connection.memory()
    var statement = try connection.prepare("SELECT \(sql)")
    _ = try statement.step()
    let text = statement.text(at: 0, as: type)
    #expect(text == words)
  }

  @Test func `lines longer than the buffer and both line ends are read`() throws {
    let long = String(repeating: "é", count: 100_000)
    for end in ["\n", "\r\n"] {
      let file = folder.path("lines\(end.utf8.count).txt")
      let lines = ["outbox-migrate fixture 1: A 1", "", "B/1", "  a: \"\(long)\"", "", "", "B/2"]
      try FileSystem.create(file, Array(lines.joined(separator: end).utf8))
      let rows = try readBack(file)
      #expect(rows.map(\.key) == [1, 2])
      #expect(rows[0].properties.map(\.value) == ["\"\(long)\""])
    }
  }
}
