import Platform
import Processes
import SQLite
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// A plan without blockers is one that `apply` carries out, on any store.
@Suite struct PlanPromiseTests {
  /// The exit statuses of a plan and of an apply on the same store.
  private struct Verdicts {
    let planned: Int32
    let applied: Int32

    /// The code of the first blocker, and the message of the apply that failed.
    let reasons: String
  }

  /// Plans and applies a migration, and expects that the plan changes no byte.
  private func verdicts(
    at path: String, in folder: TemporaryDirectory, _ request: MigrationRequest
  ) throws -> Verdicts {
    let migrator = try bundledMigrator()
    var reasons = ""
    func status(_ work: () throws(MigrationError) -> StoreMigration.ExitStatus) -> Int32 {
      do throws(MigrationError) {
        return try work().rawValue
      } catch {
        reasons += " error: \(error)"
        return error.exitStatus.rawValue
      }
    }
    let before = try fingerprint(of: folder)
    let planned = status { () throws(MigrationError) in
      let plan = try migrator.plan(for: path, request)
      reasons += plan.blockers.map { "\($0.code): \($0.message)" }.joined(separator: "; ")
      return plan.blockers.first?.exitStatus ?? .done
    }
    #expect(try fingerprint(of: folder) == before)
    reasons += " |"
    let applied = status { () throws(MigrationError) in
      _ = try migrator.apply(to: path, request)
      return .done
    }
    return Verdicts(planned: planned, applied: applied, reasons: reasons)
  }

  /// The number of pairs; `OUTBOX_MIGRATE_PAIRS` gives another.
  private static let pairs =
    environment("OUTBOX_MIGRATE_PAIRS").flatMap(UInt64.init) ?? UInt64(rounds(40, all: 100))

  @Test func `what a plan doesn't refuse, apply carries out`() throws {
    let seed = printedSeed("plans and applies", below: 1_000_000_000)
    var counts: [String: Int] = [:]
    for round in 0..<Self.pairs {
      let folder = try TemporaryDirectory()
      var random = SeededGenerator(seed: seed + round)
      let (path, request) = try store(in: folder, &random)
      let damage: String
      do {
        var mischief = StoreMischief(path, seed: seed + round)
        damage = try mischief.run()
      }
      let verdicts = try verdicts(at: path, in: folder, request)
      let name =
        "seed \(seed + round), \(damage): plan \(verdicts.planned), apply \(verdicts.applied)"
      #expect(verdicts.planned != 0 || verdicts.applied == 0, "\(name): \(verdicts.reasons)")
      if verdicts.planned != verdicts.applied { print("\(name): \(verdicts.reasons)") }
      counts["plan \(verdicts.planned), apply \(verdicts.applied)", default: 0] += 1
    }
    print(
      counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "; "))
  }

  /// Creates a random store, and a migration of it: of Lume's outbox, or between random models.
  private func store(
    in folder: TemporaryDirectory, _ random: inout SeededGenerator
  ) throws -> (String, MigrationRequest) {
    let losses = random.number(3) == 0 ? [] : ["all"]
    let isMirrored = random.number(4) == 0
    let mirroring: MigrationRequest.Mirroring? = random.number(5) == 0 ? nil : .carry
    if random.number(4) == 0 {
      let path = try makeStore(
        ["V3", "V5", "V6", "V7"][Int(random.number(4))], rows: 20, seed: random.next(),
        users: Int(random.number(2)) + 1, isMirrored: isMirrored, in: folder)
      if random.number(2) == 0 {
        var mischief = OutboxMischief(path, seed: random.next())
        try? mischief.run(count: 5)
      }
      return (
        path,
        MigrationRequest(
          userID: random.number(3) == 0 ? nil : "somebody",
          rows: random.number(2) == 0 ? .documented : .deliverable, acceptedLosses: losses,
          mirroring: mirroring)
      )
    }
    var models = RandomModels(seed: random.next())
    let (path, _, schema) = try models.store(isMirrored: isMirrored, in: folder)
    return (
      path, MigrationRequest(schema: schema, acceptedLosses: losses, mirroring: mirroring)
    )
  }
}
