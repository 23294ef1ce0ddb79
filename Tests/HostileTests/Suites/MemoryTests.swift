import Platform
import SQLite
import StoreFormat
import Testing
import TestSupport
import Migrations
import OutboxConversion

/// What a store claims or unfolds to costs no memory: 64 MiB and four times the largest value.
///
/// The limit is the system's: a run that wants more gets none, and crashes.
@Suite struct MemoryTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = try makeStore(in: folder)
  }

  /// Runs commands under a limit of so many bytes of memory of their own.
  private func runLimited(
    _ commands: [String], to bytes: Int, allowing statuses: Set<Int32>
  ) throws {
    guard let shell = Shell(in: folder) else { return }
    for command in commands {
      let answer = try shell.run("ulimit -d \(bytes / 1024); outbox-migrate \(command)")
      // `diagnose` ends with 1 if the app can't open the store, `repair` if something isn't in order.
      let isFinding =
        ["diagnose", "repair"].contains { command.hasPrefix($0) } && answer.status == 1
      #expect(
        isFinding || statuses.contains(answer.status),
        "\(command): \(answer.status) \(answer.text)")
    }
  }

  private static let commands =
    ["verify default.store", "plan default.store --user-id x", "repair default.store --dry-run"]
    + (isTorture
      ? [
        "status default.store", "lint default.store", "diff default.store default.store",
        "schema capture default.store", "explain default.store SDOutboxEvent/1",
        "row default.store SDOutboxEvent --where 1", "diagnose default.store",
      ] : []) + ["apply default.store --user-id x"]

  /// A binary property list of objects, the last of which is the outermost.
  private static func list(_ objects: [[UInt8]]) -> [UInt8] {
    func bytes(_ number: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
    var list = Array("bplist00".utf8)
    let places = objects.map { object in
      defer { list += object }
      return list.count
    }
    let table = list.count
    list += places.flatMap(bytes) + [0, 0, 0, 0, 0, 0, 4, 1]
    return list + [objects.count, objects.count - 1, table].flatMap { [0, 0, 0, 0] + bytes($0) }
  }

  /// An array of one object many times: 0xAF, the count in an integer of four bytes, references.
  private static func array(of number: UInt8, count: Int) -> [UInt8] {
    let size = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
    return [0xAF, 0x12] + size + [UInt8](repeating: number, count: count)
  }

  /// Four levels of arrays, each of the one below many times: four thousand million texts.
  private static func unfolding() -> [UInt8] {
    list([[0x51, 0x78]] + (0..<4).map { array(of: $0, count: 250) })
  }

  /// What is put into a store's model cache.
  enum Bomb: CaseIterable {
    case zeros, sharedLists, booleans

    var bytes: [UInt8] {
      switch self {
      case .zeros: deflateRaw(Array(repeating: 0, count: 1 << 26), level: 9)
      case .sharedLists: deflateRaw(unfolding())
      case .booleans: deflateRaw(list([[0x09], array(of: 0, count: 4_000_000)]))
      }
    }
  }

  @Test(arguments: Bomb.allCases)
  func `a model cache that unfolds to more than a model is refused in little memory`(
    bomb: Bomb
  ) throws {
    try spoil(path, "UPDATE Z_MODELCACHE SET Z_CONTENT = ?1", [.blob(bomb.bytes)])
    try runLimited(Self.commands, to: 64 << 20, allowing: [0, 4, 6])
  }

  @Test func `metadata that unfold to more than they are take little memory`() throws {
    try spoil(path, "UPDATE Z_METADATA SET Z_PLIST = ?1", [.blob(Self.unfolding())])
    try runLimited(Self.commands, to: 64 << 20, allowing: [0, 4, 6])
  }

  @Test func `many rows take no more memory than few`() throws {
    try FileSystem.removeIfPresent(path)
    _ = try makeStore(in: folder, rows: isTorture ? 300_000 : 1_500)
    let commands =
      Self.commands + [
        "verify default.store --receipt", "rollback default.store",
        "apply default.store --rows deliverable", "quarantine list default.store",
        "outbox retry default.store --exhausted",
        "outbox cleanup default.store --before 2100-01-01",
        "rollback default.store --discard-changes", "repair default.store",
      ]
    // What the app would lose is a finding of lint; a row without a payload is one of verify.
    try runLimited(commands, to: 64 << 20, allowing: [0, 1, 6, 7, 64])
  }

  /// In `make torture`: a payload of half a gigabyte, and one whose base64 passes SQLite's limit.
  @Test func `a payload takes four times its size, and one that is too large is refused`() throws {
    let megabytes = isTorture ? 500 : 5
    try spoil(
      path, "UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = zeroblob(?1) WHERE Z_PK = 3",
      [.integer(Int64(megabytes) << 20)])
    let commands = Self.commands + ["verify default.store --receipt", "rollback default.store"]
    // The largest value is the one that is written: base64 is a third longer.
    try runLimited(commands, to: (64 + 4 * megabytes * 4 / 3) << 20, allowing: [0, 1])
    guard isTorture else { return }
    try spoil(
      path, "UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = zeroblob(800000000) WHERE Z_PK = 3")
    guard let shell = Shell(in: folder) else { return }
    for command in ["plan", "apply"] {
      let answer = try shell.run("outbox-migrate \(command) default.store --user-id x")
      #expect(answer.status == 4)
      #expect(answer.text.contains("SDOutboxEvent/3: 'payload'"), "\(answer.text)")
    }
  }
}
