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
    for word in ["Wilhelmina", "Okonkwo", "Feelgood", "Meyer", "5551234", "Hypertension", "Stage2"]
    {
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

  @Test(
    arguments: sample(
      4,
      of: [
        ("UPDATE ZSDJOURNALENTRY SET ZTITLE = 'Anna'", LeftTrace.Kind.text),
        ("UPDATE ZSDJOURNALENTRY SET ZTITLE = 'x Okonkwo'", .text),
        ("UPDATE ZSDJOURNALENTRY SET ZTITLE = 'pending'", .text),
        (
          "UPDATE ZSDMOODENTRY SET ZVALENCE = (SELECT ZVALENCE FROM old.ZSDMOODENTRY LIMIT 1)",
          .number
        ),
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
      ]))
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

  @Test func aFileOfExternalDataBecomesRandomAndAMissingOneStaysMissing() throws {
    let zoo = try ZooStore()
    let names = ["0F7C5A52-9A3C-4A8E-8F0B-3D6B6A4B1C2D", "1B2C3D4E-5F60-4172-8394-A5B6C7D8E9F0"]
    do {
      let store = try Connection(path: zoo.path, mode: .readWrite)
      for (place, name) in names.enumerated() {
        try store.execute(
          """
          UPDATE ZPHOTO SET ZLARGE = ?1
          WHERE Z_PK = (SELECT Z_PK FROM ZPHOTO ORDER BY Z_PK LIMIT 1 OFFSET ?2)
          """, [.blob([2] + Array(name.utf8) + [0]), .integer(Int64(place))])
      }
    }
    try zoo.addLog()
    let files = StoreFiles(path: zoo.path)
    for path in [files.folder + "/" + files.supportFolderName, files.externalDataFolder] {
      try FileSystem.createDirectory(path)
    }
    let photo = Array("A photo of Wilhelmina Okonkwo at the hospital".utf8)
    try FileSystem.create("\(files.externalDataFolder)/\(names[0])", photo)
    let written = try anonymise(zoo.path, to: result, catalog: .bundled, seed: 3)
    #expect(written.externalFiles == 1)
    let folder = StoreFiles(path: result).externalDataFolder
    let found = try FileSystem.list(folder).filter { !$0.hasPrefix(".") }
    try #require(found.count == 1)
    #expect(!names.contains(found[0]))
    let bytes = try FileSystem.read("\(folder)/\(found[0])")
    #expect(bytes.count == photo.count && bytes != photo)
    let references = try rows(of: "ZPHOTO", in: result).compactMap { $0["ZLARGE"]?.bytes }
      .filter { $0.first == 2 && $0.count == 38 }.map {
        String(decoding: $0[1..<37], as: UTF8.self)
      }
    #expect(references.contains(found[0]))
    #expect(Set(references).isDisjoint(with: names))
    #expect(try checkAnonymised(result, against: zoo.path, catalog: .bundled).traces == [])
    try FileSystem.replace("\(folder)/\(found[0])", with: photo)
    let traces = try checkAnonymised(result, against: zoo.path, catalog: .bundled).traces
    #expect(traces.contains { $0.kind == .run && $0.place == "_EXTERNAL_DATA" })
  }

  @Test func aStoreIsntItsOwnResult() throws {
    let traces = try checkAnonymised(path, against: path, catalog: .bundled).traces
    #expect(Set(traces.map(\.kind)).isSuperset(of: [.text, .date, .uuid, .run]))
    let scanner = try ByteScanner(files: [path], store: path)
    let found = try scanner.findings(in: path, allowing: [])
    for part in ["elmina", "Feelgood", "Hyperte", "the text 'pending'"] {
      #expect(found.contains { $0.contains(part) }, "\(part)")
    }
  }
}
