import Platform
import SQLite
import Testing
import TestSupport
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Stores that lost pages or bits: every command reads or refuses them, and none changes them.
@Suite struct DamagedStoreTests {
  private let folder: TemporaryDirectory
  private let path: String
  private let sound: [UInt8]

  init() throws {
    folder = try TemporaryDirectory()
    path = try makeStore(in: folder)
    sound = try FileSystem.read(path)
  }

  /// Every command, then apply and rollback, on the bytes at the path.
  private func tryAll(_ bytes: [UInt8], _ label: String) throws {
    try overwrite(path, with: bytes)
    var isPlannedReadOnly = false
    let plan = ["plan", path, "--user-id", "somebody"]
    for words in lookingCommands(at: path).filter({ $0 != plan }) + [plan] {
      let answer = run(words)
      // A header can say that the file may only be read; then both plans say so before 'apply'.
      let isReadOnly = ["plan", "repair"].contains(words[0]) && answer.status == 73
      isPlannedReadOnly = isPlannedReadOnly || isReadOnly
      let problem = answer.problem(allowing: nothingThere[words[0]] ?? [])
      #expect(isReadOnly || problem == nil, "\(label): \(problem ?? "")")
      #expect(try FileSystem.read(path) == bytes, "\(label): \(words[0]) changes the store")
    }
    let applied = run(["apply", path, "--user-id", "somebody"])
    #expect(applied.problem(allowing: isPlannedReadOnly ? [73] : []) == nil, "\(label)")
    #expect(!isPlannedReadOnly || applied.status == 73, "\(label): plan says 73")
    if applied.status != 0 {
      #expect(try FileSystem.read(path) == bytes, "\(label): a failed apply changes the store")
    } else if !applied.output.contains("Nothing to do") {
      #expect(run(["rollback", path]).problem() == nil, "\(label)")
      let isBack = try mended(FileSystem.read(path)) == mended(bytes)
      #expect(isBack, "\(label): rolling back gives another store")
    }
    try repair(label, isReadOnly: isPlannedReadOnly)
    try FileSystem.removeTree(folder.path)
    try FileSystem.createDirectory(folder.path, mode: 0o700)
  }

  /// Repairs the store at the path, which says what it changed, and takes that back.
  private func repair(_ label: String, isReadOnly: Bool) throws {
    let bytes = try FileSystem.read(path)
    let repaired = run(["repair", path])
    #expect(repaired.problem(allowing: isReadOnly ? [1, 7, 73] : [1, 7]) == nil, "\(label)")
    if [0, 1].contains(repaired.status), repaired.output.contains("To roll back:") {
      #expect(run(["verify", path]).problem(allowing: [1]) == nil, "\(label)")
      #expect(run(["rollback", path]).problem() == nil, "\(label)")
    }
    let isBack = try mended(FileSystem.read(path)) == mended(bytes)
    #expect(isBack, "\(label): rolling back a repair gives another store")
  }

  /// The bytes without the header's numbers of pages and of changes.
  ///
  /// SQLite puts them right when it takes a lock for writing.
  private func mended(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    guard bytes.count > 100 else { return bytes }
    for place in Array(24..<32) + Array(92..<100) { bytes[place] = 0 }
    return bytes
  }

  @Test func `no event is removed because an index lacks its entity`() throws {
    #expect(run(["apply", path, "--user-id", "somebody"]).status == 0)
    let user: String
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      user = try #require(
        try connection.value("SELECT ZUSERID FROM ZSDOUTBOXEVENT LIMIT 1")?.string)
      try connection.set(.defensive, to: false)
      // The index gets the pages of an empty one.
      try connection.execute(
        """
        CREATE TABLE other (ZID); CREATE UNIQUE INDEX empty ON other (ZID);
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'empty')
        WHERE name = 'Z_SDMoodEntry_UNIQUE_id';
        DELETE FROM sqlite_schema WHERE name IN ('other', 'empty');
        PRAGMA writable_schema = RESET
        """)
    }
    let before = try FileSystem.read(path)
    for words in [["--dry-run"], []] {
      let answer = run(["outbox", "reset", path, "--user", user] + words)
      #expect(answer.status == 4, "\(answer)")
      #expect(answer.error.contains("is damaged"), "\(answer)")
    }
    #expect(try FileSystem.read(path) == before)
  }

  @Test func `a store that ends after any page`() throws {
    let ends = stride(from: 0, to: sound.count, by: 4096).flatMap { [$0, $0 + 1, $0 + 4000] }
    for end in sample(6, of: ends.filter { $0 < sound.count }, unless: isTorture) {
      try tryAll(Array(sound[..<end]), "cut after \(end) bytes")
    }
    // The header may say that this is all there is.
    for pages in sample(6, of: Array(1..<sound.count / 4096), unless: isTorture) {
      var bytes = Array(sound[..<(pages * 4096)])
      bytes.replaceSubrange(28..<32, with: [0, 0, 0, UInt8(pages)])
      try tryAll(bytes, "cut after \(pages) pages, and the header says so")
    }
  }

  @Test func `a header with any byte changed`() throws {
    let all: [(place: Int, byte: UInt8)] = (0..<100).flatMap { place in
      [0, 0xFF, sound[place] ^ 1].map { (place, $0) }
    }
    for (place, byte) in sample(8, of: all.filter { sound[$0.place] != $0.byte }, unless: isTorture)
    {
      var bytes = sound
      bytes[place] = byte
      try tryAll(bytes, "byte \(place) of the header is \(byte)")
    }
  }

  @Test func `b-trees with bits flipped in their headers and cells`() throws {
    let pages = sound.count / 4096
    for page in sample(8, of: Array(0..<pages), unless: isTorture) {
      let seed = printedSeed()
      var random = SeededGenerator(seed: seed)
      var bytes = sound
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let start = page == 0 ? 100 : 0
        let place =
          Bool.random(using: &random)
          ? Int.random(in: start..<start + 40, using: &random)
          : Int.random(in: start..<4096, using: &random)
        bytes[page * 4096 + place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      try tryAll(bytes, "page \(page), seed \(seed)")
    }
  }

  @Test func `a key that two rows have blocks a plan as it does an apply`() throws {
    let leaf = try Connection(path: path, mode: .immutable).value(
      "SELECT pageno FROM dbstat WHERE name = 'ZSDMOODENTRY' AND pagetype = 'leaf' AND ncell > 1")
    let start = try (Int(#require(leaf?.int64)) - 1) * 4096
    var bytes = sound
    // On a leaf, a cell begins with the length of the row and its key.
    let keys = [0, 1].map { cell in
      let pointer = start + 8 + 2 * cell
      let place = start + (Int(bytes[pointer]) << 8 | Int(bytes[pointer + 1]))
      return bytes[place...].firstIndex { $0 < 0x80 }.map { $0 + 1 } ?? place
    }
    bytes[keys[1]] = bytes[keys[0]]
    try overwrite(path, with: bytes)
    let planned = run(["plan", path, "--user-id", "somebody"])
    let applied = run(["apply", path, "--user-id", "somebody"])
    #expect(planned.status == 4 && applied.status == 4)
    #expect(planned.output.contains("UNIQUE constraint failed: ZSDMOODENTRY.Z_PK"))
    #expect(applied.error.contains("UNIQUE constraint failed: ZSDMOODENTRY.Z_PK"))
    #expect(planned.problem() == nil)
  }

  @Test func `pages that point to each other`() throws {
    for page in sample(5, of: Array(1..<sound.count / 4096), unless: isTorture) {
      // An interior page whose only children are itself.
      var bytes = sound
      let start = page * 4096
      let header: [UInt8] = [5, 0, 0, 0, 1, 0x0F, 0xF0, 0, 0, 0, 0, UInt8(page + 1), 0x0F, 0xF0]
      bytes.replaceSubrange(start..<start + header.count, with: header)
      bytes.replaceSubrange(start + 0xFF0..<start + 0xFF5, with: [0, 0, 0, UInt8(page + 1), 1])
      try tryAll(bytes, "page \(page) is its own child")
    }
  }

  @Test func `a log with bits flipped is read as far as it is sound`() throws {
    let source = folder.path("source.store")
    try overwrite(source, with: sound)
    let connection = try Connection(path: source, mode: .readWrite)
    try connection.set(.noCheckpointOnClose, to: true)
    try connection.execute("UPDATE ZSDMOODENTRY SET ZVALENCE = 0.5; DELETE FROM ZSDGOAL")
    let (main, log) = (try FileSystem.read(source), try FileSystem.read(source + "-wal"))
    for place in sample(8, of: Array(0..<log.count / 97), unless: isTorture) {
      let other = try TemporaryDirectory()
      let path = other.path("default.store")
      var bytes = log
      bytes[place * 97] ^= 0x40
      try overwrite(path, with: main)
      try overwrite(path + "-wal", with: bytes)
      for words in lookingCommands(at: path) {
        let problem = run(words).problem(allowing: nothingThere[words[0]] ?? [])
        #expect(problem == nil, "log, byte \(place * 97)")
      }
      #expect(try FileSystem.read(path) == main && FileSystem.read(path + "-wal") == bytes)
      #expect(run(["apply", path, "--user-id", "somebody"]).problem() == nil)
    }
  }
}
