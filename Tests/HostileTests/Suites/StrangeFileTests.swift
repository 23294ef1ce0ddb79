import Platform
import StoreMigration
import TestSupport
import Testing
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Pipes, folders, links and other users' files in place of the tool's and SQLite's files.
@Suite struct StrangeFileTests {
  /// An object that isn't a regular file.
  enum Thing: String, CaseIterable {
    case pipe, directory, link, brokenLink

    func put(at path: String, _ shell: Shell) throws {
      let words =
        switch self {
        case .pipe: "mkfifo \"$place\""
        case .directory: "mkdir \"$place\"; echo 1 > \"$place/inner\""
        case .link: "echo victim > victim; ln -s \"$PWD/victim\" \"$place\""
        case .brokenLink: "ln -s nowhere \"$place\""
        }
      _ = try shell.run(words, ["place": path])
    }
  }

  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = try makeStore(in: folder)
  }

  private func remove(_ path: String) throws {
    if try FileSystem.exists(path) { try FileSystem.removeTree(path) }
  }

  private var victim: [UInt8]? { try? FileSystem.read(folder.path("victim")) }

  /// The tool waits for no pipe and follows no link; SQLite would do both.
  @Test(arguments: ["-wal", "-shm", "-journal"], Thing.allCases)
  func `an object beside a store that isn't a file is refused`(suffix: String, thing: Thing) throws
  {
    guard let shell = Shell(in: folder) else { return }
    try thing.put(at: path + suffix, shell)
    let bytes = try FileSystem.read(path)
    for words in [
      ["status", path], ["verify", path], ["plan", path, "--user-id", "x"],
      ["outbox", "stats", path],
      ["apply", path, "--user-id", "x"], ["rollback", path],
      ["snapshot", "prune", path, "--keep", "0"],
    ] {
      let answer = run(words)
      #expect(answer.status == 4, "\(words): \(answer.error)")
      #expect(answer.error.contains("'\(path)\(suffix)' isn't a file"), "\(answer.error)")
    }
    #expect(try FileSystem.read(path) == bytes)
    #expect(try FileStatus(of: path + suffix, followingLinks: false).kind != .regular)
    #expect(thing != .link || victim == Array("victim\n".utf8))
  }

  /// SQLite leaves such journals: with `PRAGMA journal_mode = PERSIST` or `TRUNCATE`.
  @Test(arguments: [[], [UInt8](repeating: 0, count: 512)], [true, false])
  func `a finished journal beside a store is no reason to refuse it`(
    journal: [UInt8], hasLog: Bool
  ) throws {
    if hasLog { try FileSystem.create(path + "-wal", []) }
    try FileSystem.create(path + "-journal", journal)
    let before = try fingerprint(of: folder)
    for words in lookingCommands(at: path) {
      let answer = run(words)
      #expect(answer.status != 5, "\(words): \(answer.error)")
    }
    #expect(run(["status", path]).status == 0)
    #expect(run(["plan", path, "--user-id", "x"]).status == 0)
    #expect(try fingerprint(of: folder) == before)
    #expect(run(["apply", path, "--user-id", "x"]).status == 0)
    #expect(try folder.names == ["default.store", "default.store.snapshots"])
  }

  @Test func `one snapshot is removed by its name`() throws {
    #expect(run(["apply", path, "--user-id", "x"]).status == 0)
    let name = try #require(FileSystem.list(path + ".snapshots").first)
    for words in [[], ["--keep", "1", "--snapshot", name]] {
      let answer = run(["snapshot", "prune", path] + words)
      #expect(answer.status == 64)
      #expect(answer.error.contains("give either '--keep' or '--snapshot'"))
    }
    #expect(run(["snapshot", "prune", path, "--snapshot", "V1-V2"]).status == 64)
    let spared = run(["snapshot", "prune", path, "--snapshot", name])
    #expect(spared.status == 0 && spared.output.contains("'--force' removes it"))
    let forced = run(["snapshot", "prune", path, "--snapshot", name, "--force"])
    #expect(forced.status == 0 && forced.output.contains("Removed 1 snapshot"))
    #expect(try folder.names == ["default.store"])
  }

  @Test func `a name beside the store that isn't UTF-8 is nobody's`() throws {
    guard let shell = Shell(in: folder) else { return }
    _ = try shell.run("touch \"$(printf 'x\\377')\"")
    #expect(throws: SystemError.self) { try folder.names }
    for words in [["plan"], ["apply"], ["rollback"], ["snapshot", "list"]] {
      let isRequest = words == ["plan"] || words == ["apply"]
      let answer = run(words + [path] + (isRequest ? ["--user-id", "x"] : []))
      #expect(answer.status == 0, "\(words): \(answer.error)")
    }
  }

  /// Tests each object in each place in `make torture`, otherwise a random one.
  @Test(arguments: [
    "receipt.json", "receipt.json.new", "default.store", "quarantine.jsonl", "returned",
    "_EXTERNAL_DATA",
  ])
  func `an object in a snapshot that isn't a file is never awaited or put in place`(
    name: String
  ) throws {
    guard let shell = Shell(in: folder) else { return }
    let bytes = try FileSystem.read(path)
    let seed = printedSeed(below: 100_000)
    var source = SeededGenerator(seed: seed)
    let things = Thing.allCases.shuffled(using: &source)
    for thing in isTorture ? Thing.allCases : Array(things.suffix(1)) {
      try remove(path + ".snapshots")
      try overwrite(path, with: bytes)
      #expect(run(["apply", path, "--rows", "deliverable"]).status == 0)
      let snapshots = path + ".snapshots"
      let place = snapshots + "/" + (try #require(FileSystem.list(snapshots).first)) + "/" + name
      try remove(place)
      try thing.put(at: place, shell)
      for words in [
        ["status", path], ["verify", path, "--receipt"], ["quarantine", "list", path],
        ["rollback", path], ["snapshot", "prune", path, "--keep", "0"],
      ] {
        let answer = run(words)
        let isSpoken = answer.status == 0 || !answer.error.isEmpty || !answer.output.isEmpty
        #expect(
          [0, 1, 6, 65, 73, 74].contains(answer.status) && isSpoken, "\(thing) \(words) \(answer)")
        #expect(!answer.error.contains("is the new store, and"), "\(thing) \(words) \(answer)")
      }
      #expect(run(["status", path]).status == 0)
      #expect(victim == nil || victim == Array("victim\n".utf8))
    }
  }

  /// A rollback puts only parked files beside the store, whatever the snapshot contains.
  @Test func `a snapshot puts nothing beside the store that isn't a parked file`() throws {
    #expect(run(["apply", path, "--user-id", "x"]).status == 0)
    let snapshots = path + ".snapshots"
    let returned = snapshots + "/" + (try #require(FileSystem.list(snapshots).first)) + "/returned"
    try FileSystem.createDirectory(returned, mode: 0o700)
    for name in ["default.store-journal", "default.store-wal", ".profile"] {
      try FileSystem.create("\(returned)/\(name)", Array("no journal".utf8))
    }
    #expect(run(["rollback", path]).status == 0)
    #expect(try folder.names == ["default.store", "default.store.snapshots"])
    #expect(run(["verify", path]).status == 0)
  }

  /// A process can replace a store's file without a lock; the tool has to notice the other file.
  @Test(arguments: ApplyPhase.allCases)
  func `a store that is replaced while it is migrated isn't overwritten`(phase: ApplyPhase) throws {
    let other = try TemporaryDirectory()
    let newer = try makeStore(in: other)
    try spoil(newer, "UPDATE ZSDMOODENTRY SET ZVALENCE = 0.8125")
    let bytes = try FileSystem.read(newer)
    let migrator = StoreMigrator(catalog: Catalog.bundled)
    var isReplaced = false
    do {
      _ = try migrator.apply(to: path, MigrationRequest(userID: "x"), lockTimeout: .seconds(60)) {
        guard $0 == phase && !isReplaced else { return }
        isReplaced = true
        #expect(throws: Never.self) { try FileSystem.rename(newer, to: path) }
      }
    } catch {
      Issue.record("\(error)")
    }
    // The tool migrated the new file, and its snapshot is the new file.
    let snapshots = try migrator.snapshots(of: path, checks: true).snapshots
    #expect(snapshots.map(\.problem) == [nil])
    #expect(run(["rollback", path]).status == 0)
    #expect(try FileSystem.read(path) == bytes)
    #expect(run(["verify", path]).status == 0)
  }
}
