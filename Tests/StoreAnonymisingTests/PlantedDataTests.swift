import Migrations
import Platform
import SQLite
import StoreAnonymising
import StoreFormat
import StoreMigration
import TestSupport
import Testing

/// Data of a customer in every place of a store where it can be.
@Suite struct PlantedDataTests {
  private let folder: TemporaryDirectory
  private let path: String

  private static let plants = [
    "Wilhelmina Okonkwo", "pending", "Anna", "+49 170 5551234", "4711.0815", "Hypertension Stage2",
  ]

  init() throws {
    folder = try TemporaryDirectory()
    path = try makeStore("V6", rows: 60, seed: 7, in: folder)
    let store = try Connection(path: path, mode: .readWrite)
    for (place, plant) in Self.plants.enumerated() {
      try store.execute(
        """
        UPDATE ZSDJOURNALENTRY SET ZCONTENT = ?1, ZTITLE = ?1 WHERE Z_PK =
          (SELECT Z_PK FROM ZSDJOURNALENTRY ORDER BY Z_PK LIMIT 1 OFFSET ?2)
        """, [.text(plant), .integer(Int64(place))])
    }
    try store.execute(
      "UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = ?1 WHERE Z_PK = (SELECT min(Z_PK) FROM ZSDOUTBOXEVENT)",
      [.blob(Array(#"{"id":"x","Wilhelmina Okonkwo":{"note":"Dr. Feelgood-Meyer"}}"#.utf8))])
  }

  private var result: String { folder.path("result.store") }

  private func raw(_ path: String) throws -> String {
    String(decoding: try FileSystem.read(path), as: UTF8.self)
  }

  @Test func textsKeysAndWordsAreReplacedAndAStatusStaysOnlyWhereItIsOne() throws {
    try anonymise(path, to: result, catalog: .bundled, seed: 3)
    let bytes = try raw(result)
    for word in ["Wilhelmina", "Okonkwo", "Feelgood", "Meyer", "5551234", "Hypertension", "Stage2"] {
      #expect(try raw(path).contains(word))
      #expect(!bytes.contains(word), "\(word)")
    }
    let titles = try rows(of: "ZSDJOURNALENTRY", in: result).compactMap { $0["ZTITLE"]?.string }
    #expect(Set(titles).isDisjoint(with: Self.plants))
    let statuses = try rows(of: "ZSDOUTBOXEVENT", in: result).compactMap { $0["ZSTATUS"]?.string }
    #expect(statuses.contains("pending"))
  }

  @Test func deletedRowsAndTheLogAreOfTheOriginal() throws {
    let secret = "Zacharias Quendelmann lives at Lindenallee"
    do {
      let store = try Connection(path: path, mode: .readWrite)
      try store.execute("UPDATE ZSDJOURNALENTRY SET ZCONTENT = ?1", [.text(secret)])
      // The row's bytes stay on its page, in what is free now.
      try store.execute("DELETE FROM ZSDJOURNALENTRY WHERE Z_PK % 2 = 0", [])
      try store.execute("UPDATE ZSDJOURNALENTRY SET ZCONTENT = 'x'", [])
    }
    let isLeft = try raw(path).contains("Quendelmann")
    try #require(isLeft)
    try anonymise(path, to: result, catalog: .bundled, seed: 3)
    let bytes = try raw(result)
    #expect(!bytes.contains("Quendelmann"))
    // A result that has what only a free page of the original has is found out.
    do {
      let store = try Connection(path: result, mode: .readWrite)
      try store.execute(
        "UPDATE ZSDJOURNALENTRY SET ZCONTENT = 'ab Quendelmann cd' WHERE Z_PK = 1", [])
      try store.execute(
        "UPDATE ZSDJOURNALENTRY SET ZTITLE = 'ab Quendelmann cd'", [])
    }
    let check = try checkAnonymised(result, against: path, catalog: .bundled)
    #expect(check.traces.contains { $0.kind == .run && $0.place == "SDJournalEntry.title" })
  }

  @Test(arguments: [
    ("UPDATE ZSDJOURNALENTRY SET ZTITLE = 'Anna'", LeftTrace.Kind.text),
    ("UPDATE ZSDJOURNALENTRY SET ZTITLE = 'x Okonkwo'", .text),
    ("UPDATE ZSDJOURNALENTRY SET ZTITLE = 'pending'", .text),
    ("UPDATE ZSDMOODENTRY SET ZVALENCE = (SELECT ZVALENCE FROM old.ZSDMOODENTRY LIMIT 1)", .number),
    ("UPDATE ZSDMOODENTRY SET ZDATE = (SELECT ZDATE FROM old.ZSDMOODENTRY LIMIT 1)", .date),
    (
      """
      UPDATE ZSDMOODENTRY SET ZID = (SELECT ZID FROM old.ZSDMOODENTRY LIMIT 1)
      WHERE Z_PK = (SELECT min(Z_PK) FROM ZSDMOODENTRY)
      """, .uuid
    ),
    ("UPDATE Z_METADATA SET Z_UUID = (SELECT Z_UUID FROM old.Z_METADATA)", .uuid),
    (
      "UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = CAST('{\"Wilhelmina Okonkwo\":1}' AS BLOB)",
      .text
    ),
    ("DELETE FROM ZSDOUTBOXEVENT", .slack),
  ])
  func aCheckFinds(_ sql: String, _ kind: LeftTrace.Kind) throws {
    do {
      let original = try Connection(path: path, mode: .readWrite)
      try original.execute("UPDATE ZSDMOODENTRY SET ZVALENCE = 0.123456789", [])
    }
    try anonymise(path, to: result, catalog: .bundled, seed: 3)
    #expect(try checkAnonymised(result, against: path, catalog: .bundled).traces == [])
    do {
      let store = try Connection(path: result, mode: .readWrite)
      try store.attach(path: path, as: "old", mode: .readOnly)
      try store.execute(sql, [])
    }
    let traces = try checkAnonymised(result, against: path, catalog: .bundled).traces
    #expect(traces.contains { $0.kind == kind }, "\(traces)")
    let printed = traces.map(\.description).joined()
    #expect(!printed.contains("Okonkwo") && !printed.contains("0.123"))
  }

  @Test func aStoreIsntItsOwnResult() throws {
    let traces = try checkAnonymised(path, against: path, catalog: .bundled).traces
    #expect(Set(traces.map(\.kind)).isSuperset(of: [.text, .date, .uuid, .run]))
  }
}
