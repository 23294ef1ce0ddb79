import Foundation
import JSONText
import Platform
import TestSupport
import Testing

@testable import StoreExchange
@testable import StoreMigration
import Migrations

/// The JSON Schemas of plan files and receipts admit what the readers admit.
@Suite struct PlanFormatTests {
  /// Plan files of a documented and a deliverable outbox, and one with values.
  private func plans() throws -> [String] {
    let folder = try TemporaryDirectory()
    let path = try makeStore("V6", rows: 60, in: folder)
    let migrator = try bundledMigrator()
    let documented = MigrationRequest(target: "V7", userID: "me", acceptedLosses: ["all"])
    let deliverable = MigrationRequest(userID: "me", rows: .deliverable)
    return [
      try migrator.planFile(for: path, documented, migrationFolder: "own").text,
      try migrator.planFile(for: path, deliverable).text,
      try migrator.planFile(for: path, documented, showsValues: true).text,
    ]
  }

  /// Receipts of an apply with documented rows, of one with deliverable rows, and of rollbacks.
  private func receipts() throws -> [String] {
    let requests = [
      MigrationRequest(userID: "me"), MigrationRequest(userID: "me", rows: .deliverable),
    ]
    return try requests.flatMap { request in
      let folder = try TemporaryDirectory()
      let path = try makeStore("V6", rows: 60, in: folder)
      let migrator = try bundledMigrator()
      _ = try migrator.apply(to: path, request)
      let applied = try receipts(in: folder)
      _ = try migrator.rollback(path)
      return try applied + receipts(in: folder)
    }
  }

  private func receipts(in folder: TemporaryDirectory) throws -> [String] {
    try #require(FileManager.default.subpaths(atPath: folder.path))
      .filter { $0.hasSuffix("receipt.json") }
      .map { try String(contentsOfFile: folder.path($0), encoding: .utf8) }
  }

  private func readReceipt(_ bytes: [UInt8]) throws(JSONError) {
    let receipt = try Receipt(parsing: bytes, file: nil)
    _ = try RunDetails(receipt.details)
  }

  private func expectAdmitted(_ texts: [String], by format: JSONFormat) throws {
    let check = try JSONSchemaCheck(format.schema.text())
    for text in texts { #expect(try check.violations(in: JSONNode(parsing: text)) == []) }
  }

  @Test func `the published schemas are the readers'`() throws {
    for (name, format) in [("plan", PlanFile.format), ("receipt", Receipt.format)] {
      let difference = try PublishedSchema(name, format).difference()
      #expect(difference == nil)
    }
  }

  @Test func `plan files and receipts are admitted`() throws {
    try expectAdmitted(try plans(), by: PlanFile.format)
    let receipts = try receipts()
    #expect(receipts.count == 4)
    try expectAdmitted(receipts, by: Receipt.format)
  }

  @Test func `reader and schema agree about changed plan files`() throws {
    var trial = try FormatTrial(
      PlanFile.format, named: "plan",
      beyond: ["not a path", "appears twice", "not a sketch"])
    try trial.run(rounds(400, torture: 2_000), on: try plans()) { (bytes) throws(JSONError) in
      _ = try PlanFile(parsing: bytes, file: nil)
    }
    print("plan: \(trial)")
    #expect(trial.disagreements == [])
    #expect(trial.admitted > 4 && trial.refused > 100)
  }

  @Test func `reader and schema agree about changed receipts`() throws {
    var trial = try FormatTrial(
      Receipt.format, named: "receipt",
      beyond: [
        "invalid name of", "100 bytes in base64", "must be strings of digits",
      ])
    try trial.run(rounds(400, torture: 2_000), on: try receipts(), reader: readReceipt)
    print("receipt: \(trial)")
    #expect(trial.disagreements == [])
    #expect(trial.admitted > 4 && trial.refused > 100)
  }
}
