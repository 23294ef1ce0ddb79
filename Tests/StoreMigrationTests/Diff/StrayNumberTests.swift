import Migrations
import SQLite
import TestSupport
import Testing

@testable import StoreMigration
import OutboxConversion
import StoreProof

/// Rows whose entity number is of another table's entity, or of no entity.
@Suite struct StrayNumberTests {
  private let folder: TemporaryDirectory
  private let path: String
  private let migrator: StoreMigrator

  init() throws {
    folder = try TemporaryDirectory()
    path = try makeStore("V6", rows: 12, in: folder)
    migrator = try bundledMigrator()
  }

  private func execute(_ sql: String) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(sql)
  }

  @Test func `a row is compared as its own table's, whatever its number`() throws {
    let other = try TemporaryDirectory()
    let sound = try makeStore("V6", rows: 12, in: other)
    let tables = try migrator.difference(between: path, and: sound).entities.map(\.name.name)
    for number in [Int64.min, -1, 0] + (1...Int64(tables.count + 1)) + [.max] {
      try execute("UPDATE ZSDMOODENTRY SET Z_ENT = \(number)")
      let difference = try migrator.difference(between: path, and: sound)
      #expect(difference.entities.reduce(0) { $0 + $1.rowsChanged } == 0, "number \(number)")
      #expect(difference.isEqual, "number \(number)")
      #expect(try migrator.difference(between: sound, and: path).isEqual, "number \(number)")
    }
  }

  @Test(arguments: [Int64.min, -1, .max])
  func `a row of no entity is counted among the writes since`(number: Int64) throws {
    _ = try migrator.apply(to: path, MigrationRequest(userID: RollbackTests.owner))
    try execute(
      """
      UPDATE ZSDMOODENTRY SET ZNOTES = 'later', Z_ENT = \(number)
      WHERE Z_PK = (SELECT min(Z_PK) FROM ZSDMOODENTRY)
      """)
    let report = try migrator.verify(path, comparesReceipt: true)
    #expect(report.receipt?.changes?.map(\.entity) == ["SDMoodEntry"])
    #expect(report.receipt?.changes?.map(\.changed) == [1])
    let error = #expect(throws: MigrationError.self) { try migrator.rollback(path) }
    #expect(error?.exitStatus == .refused)
    let words = #expect(throws: MigrationError.self) {
      try migrator.rollback(path, laterWrites: .keep)
    }?.description
    #expect(words?.contains("'Z_ENT' names no entity of its table") == true)
  }

  @Test(arguments: [Int64.min, .max])
  func `an edit of a row of no entity is counted`(number: Int64) throws {
    let report = try migrator.tryEdit(path) {
      try $0.execute("UPDATE ZSDMOODENTRY SET Z_ENT = \(number) WHERE Z_PK = 1")
    }.report
    #expect(report.changes.map(\.entity) == ["SDMoodEntry"])
    #expect(report.changes.map(\.changed) == [1])
  }
}
