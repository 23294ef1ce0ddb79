import Platform
import SQLite
import StoreFormat
import StoreModel
import TestSupport

import StoreExchange
@testable import StoreMigration
import Migrations
import OutboxConversion
import StoreProof

extension FuzzTarget {
  /// Stores: the bytes say how a small one is spoilt, see ``StoreEdit``.
  static let store = FuzzTarget(
    name: "store",
    seeds: {
      [[], [0, 1, 0, 100, 7], [1, 9], [2, 3, 4, 1, 2, 8], [3, 2, 10, 34], [4, 2, 7, 1]]
    }
  ) { bytes in
    do {
      return try SeedStore.shared.withStore { path, migrator in
        let edits = StoreEdit.all(in: bytes)
        try StoreEdit.spoil(path, by: edits)
        return try problem(ofStoreAt: path, migrator)
      }
    } catch {
      return "the store can't be spoilt: \(error)"
    }
  }

  /// Runs what reads a store and what writes one, and returns what is wrong.
  static func problem(
    ofStoreAt path: String, _ migrator: StoreMigrator
  ) throws -> String? {
    let before = try FileSystem.read(path)
    let readers: [(String, () throws -> Void)] = [
      ("status", { _ = try migrator.status(of: path) }),
      ("verify", { _ = try migrator.verify(path, forecastsQueue: true) }),
      ("plan", { _ = try migrator.planFile(for: path, SeedStore.request) }),
      ("lint", { _ = try migrator.lint(path) }),
      ("capture", { _ = try migrator.capture(path).text }),
      ("explain", { _ = try migrator.explain("SDOutboxEvent/1", of: path, SeedStore.request) }),
      ("snapshots", { _ = try migrator.snapshots(of: path) }),
      ("quarantine", { _ = try migrator.quarantine(of: path) }),
    ]
    for (name, read) in readers {
      if let problem = complaint(read) { return "\(name): \(problem)" }
      guard try FileSystem.read(path) == before else { return "\(name) changes the store" }
    }
    var isApplied = false
    let request = MigrationRequest(userID: SeedStore.request.userID, acceptedLosses: ["all"])
    if let problem = complaint({
      isApplied = try migrator.apply(to: path, request).snapshot != nil
    }) {
      return "apply: \(problem)"
    }
    guard isApplied else {
      return try FileSystem.read(path) == before ? nil : "a failed apply changes the store"
    }
    if let problem = complaint({ _ = try migrator.rollback(path) }) {
      return "rollback: \(problem)"
    }
    return nil
  }

  /// An error has words, and a status that says what is wrong with the store.
  private static func complaint(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch let error as MigrationError {
      let isClear =
        switch error.cause {
        case .exchange(.noSnapshot), .exchange(.badSnapshot), .request(.noQuarantine),
          .request(.noReceipt), .request(.notThere):
          true
        default: error.exitStatus != .failed
        }
      return isClear && !error.description.isEmpty
        ? nil : "exits with \(error.exitStatus): \(error)"
    } catch {
      return "an error of another kind: \(error)"
    }
  }
}
