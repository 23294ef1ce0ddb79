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
  /// A store whose log is checkpointed, with large values on pages and in external files.
  case apply

  /// A store whose log holds rows, as after a crash of the app.
  case applyWithLog

  /// Some rows aren't written to the new store.
  case applyDeliverable

  /// An apply that restores parked values.
  case applyParked

  /// An apply after a run that was killed before its exchange.
  case applyAfterUnfinished

  /// An apply after a run that was killed after its exchange, which left nothing else to do.
  case applyAfterExchange

  /// Documented rows become deliverable ones: a rollback and an apply.
  case applyAgain

  /// A rollback to the snapshot, including an external file.
  case rollback

  /// A rollback that keeps later writes.
  case rollbackKeeping

  /// An apply on a file system without hard links, such as FAT.
  case applyWithoutLinks

  /// A rollback that parks values, on a file system without hard links.
  case rollbackWithoutLinks

  case prune

  /// An edit that removes rows from the outbox.
  case edit

  var testDescription: String { rawValue }

  /// The words after the program's name.
  var arguments: [String] {
    switch self {
    case .apply, .applyWithLog, .applyParked, .applyAfterUnfinished, .applyAfterExchange,
      .applyWithoutLinks:
      ["apply", "default.store", "--user-id", Self.owner]
    case .applyDeliverable, .applyAgain:
      ["apply", "default.store", "--user-id", Self.owner, "--rows", "deliverable"]
    case .rollback: ["rollback", "default.store"]
    case .rollbackKeeping, .rollbackWithoutLinks: ["rollback", "default.store", "--keep-changes"]
    case .prune: ["snapshot", "prune", "default.store", "--keep", "1"]
    case .edit: ["outbox", "cleanup", "default.store", "--before", "2100-01-01"]
    }
  }

  /// Repeats the scenario's command on a store that is still the old one.
  ///
  /// - Returns: The notes about earlier runs.
  func carryOut(on path: String, _ migrator: StoreMigrator) throws -> [String] {
    switch self {
    case .apply, .applyWithLog, .applyParked, .applyAfterUnfinished, .applyAfterExchange,
      .applyWithoutLinks:
      try migrator.apply(to: path, MigrationRequest(userID: Self.owner)).notes
    case .applyDeliverable, .applyAgain:
      try migrator.apply(to: path, MigrationRequest(userID: Self.owner, rows: .deliverable)).notes
    case .rollback, .rollbackKeeping, .rollbackWithoutLinks:
      try migrator.rollback(path, laterWrites: .keep).notes
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
  /// Creates the files that the folder has before the run.
  func prepare(_ folder: TemporaryDirectory, _ tool: String) throws {
    let store = folder.path("default.store")
    func run(_ words: String...) throws {
      let ending = try Programs.run([tool] + words, in: folder.path)
      guard ending.status == 0 else {
        throw PreparationError(words: words, message: ending.message)
      }
    }
    let rows = self == .applyDeliverable || self == .applyAgain ? "60" : "8"
    try run("fixture", "create", "lume", "V6", store, "--rows", rows)
    switch self {
    case .applyDeliverable: break
    case .apply, .applyAfterUnfinished, .applyAfterExchange, .applyWithoutLinks:
      try addLargeValues(in: folder)
      try write(
        """
        UPDATE ZSDOUTBOXEVENT
        SET ZPAYLOAD = CAST('{"id": "' || hex(randomblob(9000)) || '"}' AS BLOB) WHERE Z_PK % 3 = 0
        """, to: store)
    case .applyWithLog: try writeWithoutCheckpoint(store)
    case .edit, .applyAgain: try run("apply", store, "--user-id", Self.owner)
    case .rollback:
      try addLargeValues(in: folder)
      try run("apply", store, "--user-id", Self.owner)
      try FileManager.default.removeItem(atPath: folder.path(".default_SUPPORT"))
    case .applyParked, .rollbackKeeping, .rollbackWithoutLinks, .prune:
      try run("apply", store, "--user-id", Self.owner)
      try write(
        "UPDATE ZSDOUTBOXEVENT SET ZPRIORITY = 7 WHERE Z_PK < 5; DELETE FROM ZSDGOAL", to: store)
    }
    if self == .applyParked || self == .prune { try run("rollback", store, "--keep-changes") }
    if self == .prune { try run("apply", store, "--user-id", Self.owner) }
  }

  /// The cut of an earlier run, whose remains the scenario's run finds.
  ///
  /// The earlier run is repeated in each folder, because its remains name files by their identity.
  ///
  /// - Returns: `nil` if the trace doesn't replace the store.
  func earlierCut(_ trace: [TracedCall], _ folder: String) -> Cut? {
    let renames = trace.filter { $0.name.hasPrefix("rename") }
    guard let exchange = renames.firstIndex(where: { $0.paths.last == "\(folder)/default.store" })
    else { return nil }
    // The next rename after the exchange is that of the receipt.
    let number = self == .applyAfterExchange ? exchange + 2 : exchange + 1
    return Cut(call: renames[exchange].name, number: number, fault: .killed)
  }

  /// Whether the scenario's run can't make hard links.
  var isWithoutLinks: Bool { self == .applyWithoutLinks || self == .rollbackWithoutLinks }

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

/// A command that prepares a test's store failed.
struct PreparationError: Error {
  let words: [String]
  let message: String
}
