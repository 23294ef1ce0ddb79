import SQLite
import Testing
import TestSupport

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// What becomes of `userID` columns: the owner they name, and the link that has to carry it.
@Suite struct OwnerTests {
  private static let (first, second) = (
    "11111111-2222-3333-4444-555555555555", "AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE"
  )

  /// A V5 store with two profiles, keys 1 and 2, and moods as told: what links and what names.
  private func makeStore(
    moods: [(link: Int?, owner: String)], in folder: TemporaryDirectory, sameIDs: Bool = false
  ) throws -> String {
    let path = try TestSupport.makeStore(
      "V5", of: "FitIQ", rows: 60, users: 2, in: folder)
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("DELETE FROM ZSDUSERPROFILE WHERE Z_PK > 2")
    for (key, id) in [(1, Self.first), (2, sameIDs ? Self.first : Self.second)] {
      let hex = id.filter { $0 != "-" }
      try connection.execute("UPDATE ZSDUSERPROFILE SET ZID = x'\(hex)' WHERE Z_PK = \(key)")
    }
    try connection.execute(
      "DELETE FROM ZSDMOODENTRY WHERE Z_PK NOT IN (SELECT Z_PK FROM ZSDMOODENTRY LIMIT \(moods.count))"
    )
    let keys = try rows(of: "ZSDMOODENTRY", in: path).compactMap { $0["Z_PK"]?.int64 }
    try #require(keys.count == moods.count)
    for (key, mood) in zip(keys, moods) {
      try connection.execute(
        """
        UPDATE ZSDMOODENTRY SET ZUSERID = '\(mood.owner)',
        ZUSERPROFILE = \(mood.link.map(String.init) ?? "NULL") WHERE Z_PK = \(key)
        """)
    }
    return path
  }

  private static let owners: [(link: Int?, owner: String, becomes: Int?, isLost: Bool)] = [
    (1, first, 1, false),
    (nil, second, 2, false),
    (nil, second.lowercased(), 2, false),
    (1, second, 1, true),
    (1, "99999999-0000-0000-0000-000000000000", 1, true),
    (nil, "99999999-0000-0000-0000-000000000000", nil, true),
    (nil, "nobody", nil, true),
    (2, "", 2, false),
    (nil, "", nil, false),
  ]

  @Test func `a link is set where it is missing and kept where it is there`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(moods: Self.owners.map { ($0.link, $0.owner) }, in: folder)
    let request = MigrationRequest(target: "V6", acceptedLosses: ["all"])
    let plan = try bundledMigrator().plan(for: path, request)
    let step = "V5-V6:SDMoodEntry.userID"
    #expect(
      plan.losses.first { $0.step == step }?.rows == Int64(Self.owners.count { $0.isLost }))
    func warned(_ code: String) -> Int64? {
      plan.warnings.first { $0.code == code && $0.message.contains("SDMoodEntry") }?.rows
    }
    #expect(warned("link-disagrees") == 2)
    #expect(warned("link-unknown") == 2)
    _ = try bundledMigrator().apply(to: path, request)
    let links = try rows(of: "ZSDMOODENTRY", in: path).map { $0["ZUSERPROFILE"]?.int64 }
    #expect(links == Self.owners.map { $0.becomes.map(Int64.init) })
  }

  @Test func `of two profiles with the same id the linked one is meant, or none`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(
      moods: [(nil, Self.first), (1, Self.first), (2, Self.first), (2, Self.second)], in: folder,
      sameIDs: true)
    let request = MigrationRequest(target: "V6", acceptedLosses: ["all"])
    let report = try bundledMigrator().apply(to: path, request)
    let links = try rows(of: "ZSDMOODENTRY", in: path).map { $0["ZUSERPROFILE"] }
    #expect(links == [.null, 1, 2, 2])
    #expect(report.losses.first { $0.step == "V5-V6:SDMoodEntry.userID" }?.rows == 2)
  }
}
