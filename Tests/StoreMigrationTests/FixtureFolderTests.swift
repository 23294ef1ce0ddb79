import Foundation
import JSONText
import Platform
import SQLite
import StoreModel
import Testing
import TestSupport

@testable import StoreMigration

/// The committed fixtures: a store, the options it is migrated with, and what its outbox must become.
@Suite struct FixtureFolderTests {
  static let root =
    URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path + "/Fixtures"

  static let names =
    (try? FileSystem.list(root))?.filter { FileSystem.exists("\(root)/\($0)/default.store") } ?? []

  @Test func `there are fixtures`() {
    #expect(Self.names.count >= 3)
  }

  @Test(arguments: names)
  func `a fixture becomes what its folder says`(name: String) throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("default.store")
    try FileSystem.copy("\(Self.root)/\(name)/default.store", to: path)
    let hash = try sha256(ofFile: path)
    let before = try rows(of: "ZSDOUTBOXEVENT", in: path)
    let request = try Self.request(name)
    let migrator = try bundledMigrator()
    _ = try migrator.apply(to: path, request)
    #expect(try migrator.verify(path).isPassed)
    let after = try rows(of: "ZSDOUTBOXEVENT", in: path)
    let text = after.map(line).joined(separator: "\n") + "\n"
    let expected = "\(Self.root)/\(name)/expected.txt"
    if environment("OUTBOX_MIGRATE_RECORD") == "1" {
      try Data(text.utf8).write(to: URL(filePath: expected))
      Issue.record("recorded '\(expected)'; run again without OUTBOX_MIGRATE_RECORD")
    }
    #expect(text == String(decoding: try FileSystem.read(expected), as: UTF8.self))
    if name.contains("V6"), let owner = request.userID {
      #expect(after == before.map { documentedRow($0, owner: owner) })
    }
    _ = try migrator.rollback(path)
    #expect(try sha256(ofFile: path) == hash)
  }

  private static func request(_ name: String) throws -> MigrationRequest {
    let file = "\(root)/\(name)/options.json"
    let object = try JSONNode(parsing: FileSystem.read(file), file: file)
      .object(allowing: ["user_id", "accept_data_loss"])
    return MigrationRequest(
      userID: try object.optional("user_id")?.string,
      acceptedLosses: try object.optional("accept_data_loss")?.strings ?? [])
  }

  /// A row as text: column by column, blobs in hexadecimal digits.
  private func line(_ row: [String: Value]) -> String {
    row.sorted { $0.key < $1.key }.map { name, value in
      switch value {
      case .null: "\(name)=NULL"
      case .integer(let number): "\(name)=\(number)"
      case .real(let number): "\(name)=\(number)"
      case .text(let bytes): "\(name)='\(String(decoding: bytes, as: UTF8.self))'"
      case .blob(let bytes): "\(name)=x'\(Hexadecimal.encode(bytes))'"
      }
    }.joined(separator: " ")
  }
}
