import RowInspection
import Foundation
import Platform
import SQLite
import StoreFormat
import StoreModel
import TestSupport

import MigrationAuthoring
import StoreExchange
@testable import StoreMigration
import Migrations
import OutboxConversion
import StoreProof

extension FuzzTarget {
  /// Stores that are read: the first byte names a command, the others say how the store is spoilt.
  ///
  /// One command for an input, because a fuzzer learns from many quick runs. See ``StoreEdit``.
  static let store = spoilt("store", [.garden], by: StoreCommand.readers)

  /// Stores with an outbox, whose four times as many tables take four times as long.
  static let outbox = spoilt("outbox", [.outbox], by: StoreCommand.readers)

  /// Stores whose migration is planned, which takes several times as long as reading.
  static let forecast = spoilt("forecast", [.garden], by: StoreCommand.planners)

  /// Stores with an outbox that are planned, and stores of both kinds that are migrated and rolled back,
  /// some 15 times a second: too seldom for a fuzzer.
  static let run = spoilt("run", [.garden, .outbox], by: [.apply] + StoreCommand.planners)

  private static func spoilt(
    _ name: String, _ stores: [SeedStore], by commands: [StoreCommand]
  ) -> FuzzTarget {
    FuzzTarget(
      name: name,
      seeds: {
        let edits: [[UInt8]] = [
          [], [0, 1, 0, 100, 7], [1, 9], [2, 3, 4, 1, 2, 8], [3, 2, 10, 34], [4, 2, 7, 1],
        ]
        return (0..<stores.count * commands.count).flatMap { choice in
          edits.map { [UInt8(choice)] + $0 }
        }
      }
    ) { bytes in
      do {
        let choice = Int(bytes.first ?? 0)
        let command = commands[choice % commands.count]
        let store = stores[choice / commands.count % stores.count]
        return try store.withStore { path, migrator in
          try StoreEdit.spoil(path, by: StoreEdit.all(in: Array(bytes.dropFirst())))
          return try command.problem(of: store, at: path, migrator)
        }
      } catch {
        return "the store can't be spoilt: \(error)"
      }
    }
  }
}

/// What a fuzzer does with a store.
enum StoreCommand {
  case status, verify, plan, lint, capture, explain, listings, apply

  static let readers: [StoreCommand] = [.status, .verify, .capture, .listings]

  static let planners: [StoreCommand] = [.plan, .lint, .explain]

  /// Runs the command, and returns what is wrong.
  func problem(
    of store: SeedStore, at path: String, _ migrator: StoreMigrator
  ) throws -> String? {
    let before = try FileSystem.read(path)
    var isApplied = false
    let problem = Self.complaint { isApplied = try run(store, path, migrator) }
    if let problem { return "\(self): \(problem)" }
    guard isApplied else {
      // `Data` compares in one call; a fuzzer observes each comparison of an array's bytes.
      let isSame = Data(try FileSystem.read(path)) == Data(before)
      return isSame ? nil : "\(self) changes the store"
    }
    return Self.complaint { _ = try migrator.rollback(path) }.map { "rollback: \($0)" }
  }

  /// Runs the command, and returns whether it migrated the store.
  private func run(
    _ store: SeedStore, _ path: String, _ migrator: StoreMigrator
  ) throws -> Bool {
    switch self {
    case .status: _ = try migrator.status(of: path)
    case .verify: _ = try migrator.verify(path, forecastsQueue: true)
    case .plan: _ = try migrator.planFile(for: path, store.request)
    case .lint: _ = try migrator.lint(path)
    case .capture: _ = try migrator.capture(path).text
    case .explain: _ = try migrator.explain(store.row, of: path, store.request)
    case .listings:
      _ = try migrator.snapshots(of: path)
      _ = try migrator.quarantine(of: path)
    case .apply:
      let request = MigrationRequest(userID: store.request.userID, acceptedLosses: ["all"])
      return try migrator.apply(to: path, request).snapshot != nil
    }
    return false
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
