import Migrations
import Platform
import SQLite
import StoreAnonymising
import StoreFormat
import TestSupport
import Testing

/// Values that have few replacements or none, and files around a result.
@Suite struct HardValuesTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = try makeStore("V6", rows: 60, seed: 7, in: folder)
  }

  private var result: String { folder.path("result.store") }

  private func change(_ sql: String, _ values: [Value] = []) throws {
    let store = try Connection(path: path, mode: .readWrite)
    try store.execute(sql, values)
  }

  private func checkedResult() throws {
    try anonymise(path, to: result, catalog: .bundled, seed: 3)
    #expect(try checkAnonymised(result, against: path, catalog: .bundled).traces == [])
  }

  @Test(
    arguments: sample(
      3,
      of: [
        ("word", " -", 2_000), ("a", " , ; .", 700), ("Zo", "\u{308}\u{301}\u{302}", 4),
        ("a", " \u{301}-", 300), ("", "\u{1}\u{2}\u{3}\u{4}", 3), ("x", "\u{1}\u{2}", 8),
        ("", "-", 16),
        ("a", "-", 50_000),
      ]))
  func aTextOfSignsHasAReplacement(_ word: String, _ signs: String, _ count: Int) throws {
    let text = word + String(repeating: signs, count: count)
    try change("UPDATE ZSDJOURNALENTRY SET ZCONTENT = ?1", [.text(text)])
    try checkedResult()
    let content = try #require(
      try rows(of: "ZSDJOURNALENTRY", in: result).first?["ZCONTENT"]?.string)
    #expect(content.utf8.count == text.utf8.count)
  }

  @Test(
    arguments: sample(
      2,
      of: ["9e999", "-9e999", "1e300", "-1e17", "1e13", "9223372036854775807"]))
  func aDateThatIsNoneHasAReplacement(_ date: String) throws {
    try change(
      """
      UPDATE ZSDMOODENTRY SET ZDATE = \(date)
      WHERE Z_PK = (SELECT min(Z_PK) FROM ZSDMOODENTRY)
      """)
    try checkedResult()
  }

  @Test func anEmptyExternalFileStaysEmpty() throws {
    let files = StoreFiles(path: path)
    for path in [files.folder + "/" + files.supportFolderName, files.externalDataFolder] {
      try FileSystem.createDirectory(path)
    }
    let name = "0F7C5A52-9A3C-4A8E-8F0B-3D6B6A4B1C2D"
    try FileSystem.create("\(files.externalDataFolder)/\(name)", [])
    try checkedResult()
    let found = try FileSystem.list(StoreFiles(path: result).externalDataFolder)
    try #require(found.count == 1 && found[0] != name)
    #expect(try FileSystem.read("\(StoreFiles(path: result).externalDataFolder)/\(found[0])") == [])
  }

  @Test func allIntegersOfARangeAreReplacedByEachOther() throws {
    try change("CREATE TABLE numbers (number INTEGER)")
    try change(
      """
      WITH RECURSIVE n (number) AS
        (SELECT 10000 UNION ALL SELECT number + 1 FROM n WHERE number < 32767)
      INSERT INTO numbers SELECT number FROM n UNION ALL SELECT 32768 + number FROM n
      """)
    try checkedResult()
    let store = try Connection(path: result, mode: .readOnlyUnshared)
    let counts = try store.rows(
      """
      SELECT count(DISTINCT number), min(number), max(number),
        count(DISTINCT number) FILTER (WHERE number <= 32767) FROM numbers
      """)[0]
    #expect(counts[0] == .integer(45_536) && counts[3] == .integer(22_768))
    #expect(counts[1] == .integer(10_000))
  }

  @Test func theDistanceOfDatesHasAWideRange() throws {
    func date(_ path: String) throws -> Double {
      let value = try #require(try rows(of: "ZSDMOODENTRY", in: path).first?["ZDATE"])
      return try #require(value.double ?? value.int64.map { Double($0) })
    }
    let before = try date(path)
    let days = try (1...12).map { seed in
      let name = folder.path("\(seed).store")
      try anonymise(path, to: name, catalog: .bundled, seed: UInt64(seed))
      return try (before - date(name)) / 86_400
    }
    // Twelve draws of 73,050 days lie within ten years once in 10¹³ times.
    #expect(days.max() ?? 0 > (days.min() ?? 0) + 3_650)
    #expect(Set(days).count == 12)
  }

  @Test(
    arguments: sample(
      2,
      of: [
        "-shm", "/.result_SUPPORT/notes.txt", "/.result_SUPPORT/_EXTERNAL_DATA/photo.jpg",
        "/.result_SUPPORT/_EXTERNAL_DATA/more/0F7C5A52-9A3C-4A8E-8F0B-3D6B6A4B1C2D",
        "/.result_SUPPORT/more/0F7C5A52-9A3C-4A8E-8F0B-3D6B6A4B1C2D",
      ]))
  func aFileThatAStoreDoesntHaveIsFound(_ place: String) throws {
    try checkedResult()
    let file = place == "-shm" ? result + place : folder.path(String(place.dropFirst()))
    for end in place.indices.dropFirst() where place[end] == "/" {
      try FileSystem.createDirectory(folder.path(String(place[..<end].dropFirst())))
    }
    try FileSystem.create(file, Array("Wilhelmina Okonkwo".utf8))
    let traces = try checkAnonymised(result, against: path, catalog: .bundled).traces
    #expect(traces.contains { $0.kind == .file }, "\(traces)")
    #expect(!traces.map(\.description).joined().contains("photo"))
  }

  @Test(arguments: [
    ".result_SUPPORT", ".result_SUPPORT/_EXTERNAL_DATA",
    ".result_SUPPORT/_EXTERNAL_DATA/0F7C5A52-9A3C-4A8E-8F0B-3D6B6A4B1C2D",
  ])
  func aLinkInTheFolderOfExternalDataIsFound(_ place: String) throws {
    try checkedResult()
    for end in place.indices where place[end] == "/" {
      try FileSystem.createDirectory(folder.path(String(place[..<end])))
    }
    try FileSystem.symbolicLink(folder.path(place), to: folder.path)
    let traces = try checkAnonymised(result, against: path, catalog: .bundled).traces
    #expect(traces.map(\.kind) == [.file])
  }
}
