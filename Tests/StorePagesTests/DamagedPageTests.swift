import Platform
import SQLite
import StorePages
import TestSupport
import Testing

/// No page of a copied file can be another one without being found.
@Suite struct DamagedPageTests {
  /// What happens to the pages of a file.
  enum Damage: CaseIterable {
    /// A bit changes.
    case flipped

    /// Two pages change places.
    case swapped

    /// A page is left out; the rest moves up.
    case dropped

    /// A page is also in another one's place.
    case doubled

    /// A page becomes zeros.
    case zeroed
  }

  private static func spoil(
    _ bytes: [UInt8], _ size: Int, page: Int, _ damage: Damage, _ random: inout SeededGenerator
  ) -> [UInt8] {
    func range(_ page: Int) -> Range<Int> { page * size..<page * size + size }
    var spoiled = bytes
    let other =
      (page + 1 + Int(random.number(UInt64(bytes.count / size - 1)))) % (bytes.count / size)
    switch damage {
    case .flipped:
      spoiled[page * size + Int(random.number(UInt64(size)))] ^= 1 << UInt8(random.number(8))
    case .swapped:
      spoiled.replaceSubrange(range(page), with: bytes[range(other)])
      spoiled.replaceSubrange(range(other), with: bytes[range(page)])
    case .dropped:
      spoiled.removeSubrange(range(page))
      spoiled.replaceSubrange(28..<32, with: Self.bytes(of: spoiled.count / size))
    case .doubled: spoiled.replaceSubrange(range(page), with: bytes[range(other)])
    case .zeroed: spoiled.replaceSubrange(range(page), with: [UInt8](repeating: 0, count: size))
    }
    return spoiled
  }

  private static func bytes(of count: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
  }

  /// The pages of tables and indexes, numbered from 0; damage to the rest may leave every value.
  private static func usedPages(_ path: String) throws -> [Int] {
    try Connection(path: path, mode: .immutable)
      .rows("SELECT pageno FROM dbstat WHERE name <> 'sqlite_schema'")
      .map { Int(($0[0].int64 ?? 1) - 1) }
  }

  @Test(arguments: Damage.allCases)
  func `a damaged page of a carried table is found`(damage: Damage) throws {
    var random = SeededGenerator(printing: "DamagedPageTests.\(damage)")
    let folder = try TemporaryDirectory()
    let (old, work) = (folder.path("old"), folder.path("work"))
    for _ in 0..<rounds(1, torture: 3) {
      try? FileSystem.remove(old)
      try RandomFile.write(to: old, &random)
      let bytes = try FileDescriptor(opening: old).readAll()
      let size = Int(try Connection(path: old, mode: .immutable).pragma("page_size").int64 ?? 0)
      let trees = try PageAuditTests.trees(of: old, carriedFrom: old)
      let pages = try Self.usedPages(old)
      for _ in 0..<rounds(5, all: 12, torture: 20) {
        let page = pages.randomElement(using: &random) ?? 1
        let spoiled = Self.spoil(bytes, size, page: page, damage, &random)
        // Doubled or exchanged with an equal page.
        if spoiled == bytes { continue }
        try? FileSystem.remove(work)
        try FileDescriptor(creating: work).write(spoiled)
        let report = try PageAuditTests.report(on: work, comparedWith: old, trees)
        #expect(!report.findings.isEmpty, "page \(page + 1) of \(size) bytes, \(damage)")
      }
    }
  }

  @Test func `a row that SQLite can't read is found, and one out of order, in both files`() throws {
    var random = SeededGenerator(printing: "DamagedPageTests.rows")
    let folder = try TemporaryDirectory()
    let (sound, path) = (folder.path("sound"), folder.path("spoiled"))
    var unreadable = 0
    for _ in 0..<rounds(2, torture: 8) {
      try? FileSystem.remove(sound)
      try RandomFile.write(to: sound, &random)
      let bytes = try FileDescriptor(opening: sound).readAll()
      let size = Int(try Connection(path: sound, mode: .immutable).pragma("page_size").int64 ?? 0)
      let leaves = try Connection(path: sound, mode: .immutable).rows(
        """
        SELECT pageno FROM dbstat WHERE pagetype = 'leaf' AND ncell > 0 AND name IN
          (SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%WITHOUT ROWID%')
        """
      ).map { Int($0[0].int64 ?? 1) - 1 }
      let trees = try PageAuditTests.trees(of: sound, carriedFrom: sound)
      for _ in 0..<rounds(25, all: 60, torture: 300) {
        guard let page = leaves.randomElement(using: &random) else { continue }
        var spoiled = bytes
        // The beginning of a cell: lengths, key and header.
        let cell = page * size + 8 + 2 * Int(random.number(2))
        let start = Int(bytes[cell]) << 8 | Int(bytes[cell + 1])
        guard start < size - 12 else { continue }
        spoiled[page * size + start + Int(random.number(10))] ^= 1 << UInt8(random.number(8))
        try? FileSystem.remove(path)
        try FileDescriptor(creating: path).write(spoiled)
        let report = try PageAuditTests.report(on: path, comparedWith: path, trees)
        let isReadable = try Self.canReadRows(of: path)
        if !isReadable { unreadable += 1 }
        #expect(isReadable || !report.findings.isEmpty, "page \(page + 1) of \(size) bytes")
      }
    }
    #expect(unreadable > 0)
  }

  /// Returns whether SQLite reads all rows, in ascending order of their keys.
  private static func canReadRows(of path: String) throws -> Bool {
    let connection = try Connection(path: path, mode: .immutable)
    let tables = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%WITHOUT ROWID%'"
    ).compactMap { $0[0].string }
    for table in tables {
      guard let rows = try? connection.rows("SELECT k, * FROM \(table) NOT INDEXED") else {
        return false
      }
      let keys = rows.compactMap { $0[0].int64 }
      guard zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }) else { return false }
    }
    return true
  }

  @Test func `a page that two tables share is found, and one that no table has`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("file")
    let connection = try Connection(path: path, mode: .create)
    try connection.execute(
      """
      CREATE TABLE a (x); CREATE TABLE b (x); CREATE TABLE c (x);
      INSERT INTO a VALUES (1); INSERT INTO b VALUES (2), (3); INSERT INTO c VALUES (4)
      """)
    func tree(_ name: String, _ page: UInt32) -> PageTree { PageTree(name: name, root: page) }
    let shared = try PageAuditTests.report(
      on: path, [tree("a", 2), tree("b", 3), tree("c", 3)])
    #expect(shared.findings == ["page 3 belongs to 'b' and to 'c'"])
    let lost = try PageAuditTests.report(on: path, [tree("a", 2), tree("b", 3)])
    #expect(lost.findings == ["page 4 belongs to nothing"])
    let missing = try PageAuditTests.report(
      on: path, [tree("a", 2), tree("b", 3), tree("c", 4), tree("d", 5)])
    #expect(missing.findings == ["'d' leads to page 5, which doesn't exist"])
    let whole = try PageAuditTests.report(on: path, [tree("a", 2), tree("b", 3), tree("c", 4)])
    #expect(whole.findings == [])
    #expect(whole.cells == ["a": 1, "b": 2, "c": 1, "sqlite_schema": 3])
  }
}
