import Platform
import SQLite
import StorePages
import TestSupport
import Testing

/// Every page is accounted for, as SQLite's own table of pages says, and every damage is found.
@Suite struct PageAuditTests {
  /// The trees of a file, with the roots that an older file has for the same names.
  static func trees(of path: String, carriedFrom old: String? = nil) throws -> [PageTree] {
    let query = "SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0 ORDER BY rowid"
    func roots(_ path: String) throws -> [(name: String, page: UInt32)] {
      try Connection(path: path, mode: .immutable).rows(query).map {
        ($0[0].string ?? "", UInt32($0[1].int64 ?? 0))
      }
    }
    let before = try Dictionary(
      old.map { try roots($0).map { ($0.name, $0.page) } } ?? [], uniquingKeysWith: { $1 })
    return try roots(path).map {
      PageTree(name: $0.name, root: $0.page, oldRoot: before[$0.name])
    }
  }

  static func report(
    on path: String, comparedWith old: String? = nil, _ trees: [PageTree]
  ) throws -> PageReport {
    try PageAudit.report(
      on: SharedFile(FileDescriptor(opening: path)),
      comparedWith: old.map { SharedFile(try FileDescriptor(opening: $0)) }, trees: trees)
  }

  @Test func `every page of a random file has the owner that SQLite names`() throws {
    var random = SeededGenerator(printing: "PageAuditTests.owners")
    let folder = try TemporaryDirectory()
    for round in 0..<rounds(3, torture: 8) {
      let path = folder.path("\(round)")
      try RandomFile.write(to: path, &random)
      let trees = try Self.trees(of: path)
      let report = try Self.report(on: path, trees)
      #expect(report.findings == [], "round \(round)")
      let size = try #require(
        try PageEstimate(
          of: trees.map(\.root), in: SharedFile(FileDescriptor(opening: path))))
      let pages = trees.reduce(0) { $0 + (report.pages[$1.name] ?? 0) }
      #expect(size.pages <= pages * 3 && pages <= size.pages * 3, "\(size.pages), not \(pages)")
      let connection = try Connection(path: path, mode: .immutable)
      #expect(try connection.integrityCheck() == [])
      for tree in trees {
        let row = try connection.rows(
          """
          SELECT count(*), sum(ncell) - sum(iif(pagetype = 'internal' AND
            (SELECT type = 'table' AND sql NOT LIKE '%WITHOUT ROWID%' FROM sqlite_schema AS s
             WHERE s.name = dbstat.name), ncell, 0))
          FROM dbstat WHERE name = ?1
          """, [.text(tree.name)])[0]
        #expect(report.pages[tree.name] == row[0].int64, "\(round): \(tree.name)")
        #expect(report.cells[tree.name] == row[1].int64, "\(round): \(tree.name)")
      }
    }
  }

  @Test func `a file in which other tables were written has the same pages of the rest`() throws {
    var random = SeededGenerator(printing: "PageAuditTests.carried")
    let folder = try TemporaryDirectory()
    for round in 0..<rounds(3, torture: 8) {
      let (old, new) = (folder.path("old\(round)"), folder.path("new\(round)"))
      try RandomFile.write(to: old, &random)
      try FileSystem.copy(old, to: new)
      let written = try RandomFile.rewriteTables(of: new, &random)
      let trees = try Self.trees(of: new, carriedFrom: old).map { tree in
        written.contains(tree.name) ? PageTree(name: tree.name, root: tree.root) : tree
      }
      let report = try Self.report(on: new, comparedWith: old, trees)
      #expect(report.findings == [], "round \(round)")
      #expect(try Connection(path: new, mode: .immutable).integrityCheck() == [])
      let carried = trees.filter { $0.oldRoot != nil }.compactMap { report.pages[$0.name] }
      #expect(report.carriedPages == carried.reduce(0, +))
    }
  }
}
