import Foundation
import SQLite
import StoreMigration
import TestSupport
import Testing
import Migrations
import OutboxConversion
import StoreProof

/// A run of the tool that is cut, and how its store is made.
enum Scenario: String, CaseIterable, CustomTestStringConvertible {
  /// A store whose log is folded in, with large values on pages and in files of their own.
  case apply

  /// A log that holds rows, as a writer leaves that crashed.
  case applyWithLog

  /// Rows that are kept out of the new store.
  case applyDeliverable

  /// An apply that puts parked values back.
  case applyParked

  /// After a run that was killed before its exchange.
  case applyAfterUnfinished

  /// After a run that was killed behind its exchange: there is nothing else to do.
  case applyAfterExchange

  /// Back to the snapshot, a file of a large value included.
  case rollback

  /// With what was written since.
  case rollbackKeeping

  case prune

  /// Rows that are taken out of the outbox.
  case edit

  var testDescription: String { rawValue }

  /// The words after the program's name.
  var arguments: [String] {
    switch self {
    case .apply, .applyWithLog, .applyParked, .applyAfterUnfinished, .applyAfterExchange:
      ["apply", "default.store", "--user-id", Self.owner]
    case .applyDeliverable:
      ["apply", "default.store", "--user-id", Self.owner, "--rows", "deliverable"]
    case .rollback: ["rollback", "default.store"]
    case .rollbackKeeping: ["rollback", "default.store", "--keep-changes"]
    case .prune: ["snapshot", "prune", "default.store", "--keep", "1"]
    case .edit: ["outbox", "cleanup", "default.store", "--before", "2100-01-01"]
    }
  }

  /// Does what the run was to do, on a store that still is the old one, and returns what it said of
  /// earlier runs.
  func carryOut(on path: String, _ migrator: StoreMigrator) throws -> [String] {
    switch self {
    case .apply, .applyWithLog, .applyParked, .applyAfterUnfinished, .applyAfterExchange:
      try migrator.apply(to: path, MigrationRequest(userID: Self.owner)).notes
    case .applyDeliverable:
      try migrator.apply(to: path, MigrationRequest(userID: Self.owner, rows: .deliverable)).notes
    case .rollback, .rollbackKeeping: try migrator.rollback(path, laterWrites: .keep).notes
    case .prune: try migrator.pruneSnapshots(of: path, keeping: 1).notes
    case .edit:
      try migrator.edit(path, as: "outbox cleanup") { connection in
        try connection.execute("DELETE FROM ZSDOUTBOXEVENT WHERE ZSTATUS = 'completed'")
      }.report.notes
    }
  }

  static let owner = "6F9619FF-8B86-4D01-B42D-00CF4FC964FF"
}

// MARK: - Stores

extension Scenario {
  /// Makes what stands in the folder before the run.
  func prepare(_ folder: TemporaryDirectory, _ tool: String) throws {
    let store = folder.path("default.store")
    func run(_ words: String...) throws {
      let ending = try Programs.run([tool] + words, in: folder.path)
      guard ending.status == 0 else {
        throw PreparationError(words: words, message: ending.message)
      }
    }
    let rows = self == .applyDeliverable ? "60" : "8"
    try run("fixture", "create", "lume", "V6", store, "--rows", rows)
    switch self {
    case .applyDeliverable: break
    case .apply, .applyAfterUnfinished, .applyAfterExchange:
      try addLargeValues(in: folder)
      try write(
        """
        UPDATE ZSDOUTBOXEVENT
        SET ZPAYLOAD = CAST('{"id": "' || hex(randomblob(9000)) || '"}' AS BLOB) WHERE Z_PK % 3 = 0
        """, to: store)
    case .applyWithLog: try writeWithoutCheckpoint(store)
    case .edit: try run("apply", store, "--user-id", Self.owner)
    case .rollback:
      try addLargeValues(in: folder)
      try run("apply", store, "--user-id", Self.owner)
      try FileManager.default.removeItem(atPath: folder.path(".default_SUPPORT"))
    case .applyParked, .rollbackKeeping, .prune:
      try run("apply", store, "--user-id", Self.owner)
      try write(
        "UPDATE ZSDOUTBOXEVENT SET ZPRIORITY = 7 WHERE Z_PK < 5; DELETE FROM ZSDGOAL", to: store)
    }
    if self == .applyParked || self == .prune { try run("rollback", store, "--keep-changes") }
    if self == .prune { try run("apply", store, "--user-id", Self.owner) }
  }

  /// The cut that leaves what the run finds, where it finds what a killed run left.
  ///
  /// Made in each folder anew: who a file is, is part of it.
  func earlierCut(_ trace: [TracedCall], _ folder: String) -> Cut? {
    let renames = trace.filter { $0.name.hasPrefix("rename") }
    guard let exchange = renames.firstIndex(where: { $0.paths.last == "\(folder)/default.store" })
    else { return nil }
    // The next rename after the exchange is that of the receipt.
    let number = self == .applyAfterExchange ? exchange + 2 : exchange + 1
    return Cut(call: renames[exchange].name, number: number, fault: .killed)
  }

  var isAfterKilledRun: Bool { self == .applyAfterUnfinished || self == .applyAfterExchange }

  private func addLargeValues(in folder: TemporaryDirectory) throws {
    let values = folder.path(".default_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: values, withIntermediateDirectories: true)
    for name in ["0B6AF7F0-5C0B-4C53-9A52-9A0CDBB6E5D3", "6F9619FF-8B86-4D01-B42D-00CF4FC964FF"] {
      try Data(name.utf8).write(to: URL(filePath: "\(values)/\(name)"))
    }
  }

  private func write(_ statements: String, to store: String) throws {
    let connection = try Connection(path: store, mode: .readWrite)
    try connection.execute(statements)
  }

  private func writeWithoutCheckpoint(_ store: String) throws {
    let connection = try Connection(path: store, mode: .readWrite)
    try connection.set(.noCheckpointOnClose, to: true)
    try connection.execute("UPDATE ZSDMOODENTRY SET ZVALENCE = 0.5; DELETE FROM ZSDGOAL")
  }
}

/// A run that makes a test's store failed.
struct PreparationError: Error {
  let words: [String]
  let message: String
}
