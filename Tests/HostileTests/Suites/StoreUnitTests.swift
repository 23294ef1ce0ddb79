import Foundation
import Platform
import SQLite
import StoreFixtures
import StoreFormat
import StoreExchange
import StoreMigration
import StoreModel
import Testing
import TestSupport
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// A store is its main file and the files beside it, in any folder and with any owner.
@Suite struct StoreUnitTests {
  private static let apply = ["--user-id", "somebody"]

  /// Applies, verifies and rolls back.
  private func thereAndBack(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) {
    for words in [["apply", path] + Self.apply, ["verify", path], ["rollback", path]] {
      let answer = run(words)
      #expect(answer.status == 0, "\(answer.error)", sourceLocation: sourceLocation)
    }
  }

  // MARK: The log

  @Test func `a store whose rows are nearly all in its log is whole`() throws {
    let folder = try TemporaryDirectory()
    let source = try makeStore(in: folder, rows: 40, name: "source.store")
    let path = folder.path("default.store")
    // The rows go into the log of an empty file.
    let connection = try Connection(path: path, mode: .create)
    try connection.set(.noCheckpointOnClose, to: true)
    try connection.execute("PRAGMA page_size = 4096; PRAGMA auto_vacuum = 2; VACUUM")
    try connection.execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
    try connection.attach(path: source, as: "source", mode: .readOnlyUnshared)
    for row in try connection.rows(
      "SELECT type, name, sql FROM source.sqlite_schema WHERE sql IS NOT NULL ORDER BY type DESC")
    {
      try connection.execute(row[2].string ?? "")
      guard row[0] == "table", let name = row[1].string else { continue }
      try connection.execute(
        "INSERT INTO main.\(quoteIdentifier(name)) SELECT * FROM source.\(quoteIdentifier(name))")
    }
    let (main, log) = (try FileSystem.read(path), try FileSystem.read(path + "-wal"))
    #expect(main.count < log.count / 10)
    // Beside the writer they were in use: here is the store as it is found later.
    let other = try TemporaryDirectory()
    let found = other.path("default.store")
    try FileSystem.create(found, main)
    try FileSystem.create(found + "-wal", log)
    #expect(run(["status", found]).output.contains("SDOutboxEvent          40 rows"))
    #expect(run(["diff", source, found]).status == 0)
    #expect(try FileSystem.read(found + "-wal") == log)
    thereAndBack(found)
    #expect(run(["diff", source, found]).status == 0)
  }

  @Test(arguments: [false, true])
  func `only committed changes of a killed writer are migrated`(
    losesIndex: Bool
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(in: folder)
    guard let shell = Shell(in: folder) else { return }
    let script = """
      command -v sqlite3 > /dev/null || { echo no sqlite3; exit 9; }
      mkfifo in; sqlite3 -batch default.store < in > out & writer=$!
      exec 3> in
      echo "PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = 1; UPDATE ZSDGOAL SET ZTITLE = 'kept';
        BEGIN; UPDATE ZSDGOAL SET ZTITLE = 'lost'; UPDATE ZSDMOODENTRY SET ZNOTES = hex(zeroblob(9000));
        SELECT 'open';" >&3
      until grep -q open out; do sleep 0.02; done
      kill -9 $writer; wait $writer; exec 3>&-; rm in out
      """
    let written = try shell.run(script)
    if written.status == 9 {
      print("skipped: no sqlite3 here")
      return
    }
    try #require(try FileStatus(of: path + "-wal").size > 0)
    if losesIndex { try FileSystem.remove(path + "-shm") }
    thereAndBack(path)
    #expect(run(["apply", path] + Self.apply).status == 0)
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let titles = try connection.rows("SELECT DISTINCT ZTITLE FROM ZSDGOAL")
    #expect(titles == [["kept"]])
  }

  // MARK: Names

  static let names: [String] = [
    "with space.store", "it's.store", "\"quoted\".store", "line\nbreak.store", "tab\t.store",
    "ünïcode.store", "u\u{308}.store", "日本語.store", "100%.store", "a%20b.store", "what?.store",
    "x?mode=memory&cache=shared", "hash#tag.store", "file:x.store", ":memory:", "a;b&c|d.store",
    "$HOME.store", "back\\slash.store", "-dash.store", "trailing.", ".hidden", "a.b.c.d", "\u{1}",
    "*", "x" + String(repeating: "y", count: 180) + ".store", "receipt.json", "\u{202E}store",
    "work", "header", "_EXTERNAL_DATA", "parked.jsonl", "Receipt.json",
  ]

  @Test(arguments: sample(10, of: names))
  func `a store of any name is migrated and rolled back`(name: String) throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(in: folder, rows: 2, name: name)
    let before = try FileSystem.read(path)
    #expect(run(["status", path]).status == 0)
    #expect(run(["apply", path] + Self.apply).status == 0)
    #expect(try folder.names == [name, name + ".snapshots"].sorted { $0.precedesByBytes($1) })
    #expect(run(["verify", path]).status == 0)
    #expect(run(["snapshot", "list", path, "--check"]).status == 0)
    #expect(run(["rollback", path]).status == 0)
    #expect(try FileSystem.read(path) == before)
  }

  @Test(
    arguments: sample(
      4, of: ["a b", "100%", "what?", "#", "line\nbreak", "ü", "'\"", "a:b", "%00", "…"]))
  func `a folder of any name holds a store`(name: String) throws {
    let folder = try TemporaryDirectory()
    try FileSystem.createDirectory(folder.path(name), mode: 0o700)
    let path = try makeStore(in: folder, rows: 2, name: name + "/default.store")
    thereAndBack(path)
    let plan = folder.path(name + "/saved.plan")
    #expect(run(["plan", path, "--out", plan] + Self.apply).status == 0)
    #expect(run(["apply", plan]).status == 0)
  }

  @Test(arguments: [(225, 0), (8, 470)])
  func `a name that a rollback couldn't extend is refused first`(name: Int, path: Int) throws {
    let folder = try TemporaryDirectory()
    var place = ""
    while folder.path(place).utf8.count + 42 < path {
      place += String(repeating: "z", count: 30) + "/"
      try FileSystem.createDirectory(folder.path(place))
    }
    let rest = max(name, path - folder.path(place).utf8.count)
    let store = try makeStore(
      in: folder, rows: 2, name: place + String(repeating: "y", count: rest))
    let before = try FileSystem.read(store)
    for command in ["plan", "apply"] {
      let answer = run([command, store] + Self.apply)
      #expect(answer.status == 73, "\(command): \(answer.error)")
      #expect((answer.error + answer.output).contains("is too long for the files"), "\(answer)")
    }
    #expect(try FileSystem.read(store) == before)
    #expect(try !FileSystem.exists(store + ".snapshots"))
  }

  // MARK: Links

  @Test func `behind a symbolic link the store changes and the link stays`() throws {
    let folder = try TemporaryDirectory()
    try FileSystem.createDirectory(folder.path("real"), mode: 0o700)
    let real = try makeStore(in: folder, name: "real/default.store")
    try FileSystem.symbolicLink(folder.path("middle"), to: "real/default.store")
    try FileSystem.symbolicLink(folder.path("link.store"), to: folder.path("middle"))
    let before = try FileSystem.read(real)
    #expect(run(["apply", folder.path("link.store")] + Self.apply).status == 0)
    #expect(try folder.names == ["link.store", "middle", "real"])
    #expect(
      try FileSystem.list(folder.path("real")) == ["default.store", "default.store.snapshots"])
    for link in ["link.store", "middle"] {
      let kind = try FileStatus(of: folder.path(link), followingLinks: false).kind
      #expect(kind == .symbolicLink)
    }
    #expect(run(["verify", folder.path("middle")]).status == 0)
    #expect(run(["rollback", folder.path("link.store")]).status == 0)
    #expect(try FileSystem.read(real) == before)
  }

  @Test func `broken and circular links aren't stores`() throws {
    let folder = try TemporaryDirectory()
    try FileSystem.symbolicLink(folder.path("nowhere"), to: "gone.store")
    try FileSystem.symbolicLink(folder.path("circle"), to: "circle")
    for words in lookingCommands(at: folder.path("nowhere")) {
      #expect(run(words).status == 66, "\(words)")
    }
    for words in lookingCommands(at: folder.path("circle")) {
      // That it can't be read is a cause, which 'diagnose' finds.
      let found: Set<Int32> = words[0] == "diagnose" ? [1] : [66, 74]
      #expect(found.contains(run(words).status), "\(words)")
    }
  }

  @Test func `a store with three hard links is refused with their number, and left alone`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(in: folder)
    try FileSystem.link(path, to: folder.path("second"))
    try FileSystem.link(path, to: folder.path("third"))
    let before = try FileSystem.read(path)
    for words in [["apply", path] + Self.apply, ["rollback", path]] {
      let answer = run(words)
      if words[0] == "apply" {
        #expect(answer.status == 5)
        #expect(answer.error.contains("has 3 hard links; remove the others"))
      }
      #expect(answer.status != 0)
    }
    #expect(run(["status", path]).status == 0)
    #expect(try FileSystem.read(path) == before)
    #expect(try folder.names == ["default.store", "second", "third"])
  }

  // MARK: Owners

  @Test func `apply and rollback keep permissions, owner and attributes`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(in: folder)
    guard let shell = Shell(in: folder) else { return }
    _ = try shell.run("chmod 0640 default.store; chown 1234:2345 default.store 2> /dev/null")
    var hasAttribute = true
    do {
      let file = try FileDescriptor(opening: path, for: .updating)
      try file.setExtendedAttribute(named: "user.origin", to: Array("somewhere".utf8))
    } catch {
      hasAttribute = false
      print("skipped in part: this file system has no extended attributes")
    }
    let old = try FileStatus(of: path)
    func check(_ step: String) throws {
      let status = try FileStatus(of: path)
      #expect(status.mode == 0o640, "\(step)")
      #expect(status.owner == old.owner && status.group == old.group, "\(step)")
      guard hasAttribute else { return }
      let value = try FileDescriptor(opening: path).extendedAttribute(named: "user.origin")
      #expect(value == Array("somewhere".utf8), "\(step)")
    }
    #expect(run(["apply", path] + Self.apply).status == 0)
    try check("apply")
    #expect(run(["rollback", path]).status == 0)
    try check("rollback")
  }

  @Test func `another user migrates only their own store in their own folder`() throws {
    let folder = try TemporaryDirectory()
    guard let shell = Shell(in: folder), Shell.isRoot else {
      print("skipped: only root can be somebody else")
      return
    }
    _ = try makeStore(in: folder)
    let nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups"
    guard try shell.run("chmod 755 .; \(nobody) outbox-migrate --version").status == 0 else {
      print("skipped: 'setpriv' can't run the program as another user")
      return
    }
    func asNobody(_ command: String) throws -> (status: Int32, text: String) {
      try shell.run("\(nobody) outbox-migrate \(command)")
    }
    // Root's store, which others may read, in a folder that others may not write to.
    _ = try shell.run("chmod 644 default.store")
    let before = try filesBelow(folder.path)
    // A plan exits as `apply` would.
    let plan = try asNobody("plan --user-id x default.store")
    #expect(plan.status == 73 && plan.text.contains("permissions"), "\(plan.text)")
    for words in ["status", "verify", "lint", "snapshot list"] {
      let answer = try asNobody(words + " default.store")
      #expect([0, 1].contains(answer.status), "\(words): \(answer.text)")
    }
    for words in ["apply --user-id x", "rollback"] {
      let answer = try asNobody(words + " default.store")
      #expect([1, 73, 74].contains(answer.status), "\(words): \(answer.text)")
      #expect(answer.text.hasPrefix("Error: "))
    }
    #expect(try filesBelow(folder.path) == before)
    // The user owns the store but not the folder; then the other way round.
    _ = try shell.run("chown 65534:65534 default.store")
    let inFolder = try asNobody("apply --user-id x default.store")
    #expect(inFolder.status == 73, "\(inFolder.text)")
    _ = try shell.run("chown 65534:65534 .; chown 0:0 default.store; chmod 644 default.store")
    let ofRoot = try asNobody("apply --user-id x default.store")
    #expect(ofRoot.status == 73, "\(ofRoot.text)")
    #expect(try folder.names == ["default.store"])
    // The user may write to root's store, whose new file would be the user's.
    _ = try shell.run("chmod 666 default.store")
    let shared = try asNobody("apply --user-id x default.store")
    #expect(shared.status == 73 && shared.text.contains("belongs to user 0"), "\(shared.text)")
    #expect(try folder.names == ["default.store"])
    // The user owns both, and afterwards all files. Root's rollback doesn't change the owner.
    _ = try shell.run("chown 65534:65534 default.store; chmod 600 default.store")
    #expect(try asNobody("apply --user-id x default.store").status == 0)
    #expect(try FileStatus(of: folder.path("default.store")).owner == 65534)
    #expect(run(["rollback", folder.path("default.store")]).status == 0)
    #expect(try FileStatus(of: folder.path("default.store")).owner == 65534)
  }

  @Test func `a store with a read-only log in a read-only folder is still read`() throws {
    let folder = try TemporaryDirectory()
    guard let shell = Shell(in: folder), Shell.isRoot else {
      print("skipped: only root can be somebody else")
      return
    }
    let path = try makeStore(in: folder)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.set(.noCheckpointOnClose, to: true)
      try connection.execute("DELETE FROM ZSDGOAL")
    }
    try FileSystem.removeIfPresent(path + "-shm")
    let nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups"
    let answer = try shell.run(
      "chmod 555 .; chmod 444 default.store*; \(nobody) outbox-migrate status default.store")
    #expect(answer.status == 0 && answer.text.contains("SDGoal                  0 rows"))
    #expect(try folder.names == ["default.store", "default.store-wal"])
  }

  @Test func `a restored value has the store's owner and permissions`() throws {
    let folder = try TemporaryDirectory()
    let path = try makeStore(in: folder)
    let values = folder.path(".default_SUPPORT/_EXTERNAL_DATA")
    try FileSystem.createDirectory(folder.path(".default_SUPPORT"), mode: 0o755)
    try FileSystem.createDirectory(values, mode: 0o755)
    let names = ["0B6AF7F0-5C0B-4C53-9A52-9A0CDBB6E5D3", "6F9619FF-8B86-4D01-B42D-00CF4FC964FF"]
    for name in names { try FileSystem.create("\(values)/\(name)", [1, 2, 3]) }
    guard let shell = Shell(in: folder) else { return }
    let owner: UInt32 = Shell.isRoot ? 1234 : geteuid()
    _ = try shell.run(
      "chmod 640 default.store; chmod -R 644 .default_SUPPORT/*/*; chown -R \(owner) default.store .d*"
    )
    #expect(run(["apply", path] + Self.apply).status == 0)
    // One value is lost, and one is changed.
    try FileSystem.remove("\(values)/\(names[0])")
    _ = try shell.run("echo other > .default_SUPPORT/_EXTERNAL_DATA/\(names[1])")
    #expect(run(["rollback", path]).status == 0)
    for (name, mode) in zip(names, [0o640, 0o644] as [UInt32]) {
      let status = try FileStatus(of: "\(values)/\(name)")
      #expect(status.owner == owner && status.mode == mode, "\(name)")
      #expect(try FileSystem.read("\(values)/\(name)") == [1, 2, 3])
    }
  }

  // MARK: Large values

  @Test func `thousands of large values, some missing before, one lost since`() throws {
    let folder = try TemporaryDirectory()
    let path = try makePhotos(in: folder, count: isTorture ? 5_000 : 300, isNew: false)
    let other = try TemporaryDirectory()
    let target = other.path("V2.schema.json")
    let newer = try makePhotos(in: other, count: 0, isNew: true)
    #expect(run(["schema", "capture", newer, "--out", target]).status == 0)
    let names = try strewLargeValues(path, in: folder)
    let external = folder.path(".default_SUPPORT/_EXTERNAL_DATA")
    for name in names.prefix(3) { try FileSystem.remove("\(external)/\(name)") }
    let before = try filesBelow(external)
    #expect(run(["apply", path, "--to", target]).status == 0)
    #expect(try filesBelow(external) == before)
    let verified = run(["verify", path])
    #expect(verified.status == 0)
    #expect(verified.output.contains("3 files of 'Photo.large' are missing"))
    try FileSystem.remove("\(external)/\(names[7])")
    let lost = run(["verify", path])
    #expect(lost.status == 6)
    #expect(
      lost.output.contains("1 file of 'Photo.large' is missing in '.default_SUPPORT', but the"))
    #expect(run(["rollback", path]).status == 0)
    #expect(try filesBelow(external) == before)
  }

  private func makePhotos(
    in folder: TemporaryDirectory, count: Int, isNew: Bool
  ) throws -> String {
    let large = Attribute(
      name: "large", type: .binary, isOptional: true, allowsExternalStorage: true)
    let note = Attribute(name: "note", type: .string, isOptional: true)
    let model = Model(
      entities: [
        Entity(name: "Photo", properties: ([large] + (isNew ? [note] : [])).map { .attribute($0) })
      ], versionIdentifiers: [isNew ? "2.0.0" : "1.0.0"])
    let path = folder.path("default.store")
    try createFixture(
      app: "photos", version: "V1", model: model, at: path, options: FixtureOptions(rows: count))
    return path
  }

  /// Moves every photo to an external file, and returns the names of the files.
  private func strewLargeValues(_ path: String, in folder: TemporaryDirectory) throws -> [String] {
    let support = folder.path(".default_SUPPORT")
    try FileSystem.createDirectory(support, mode: 0o700)
    try FileSystem.createDirectory(support + "/_EXTERNAL_DATA", mode: 0o700)
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.begin()
    var names: [String] = []
    for row in try connection.rows("SELECT Z_PK FROM ZPHOTO") {
      let number = String(row[0].int64 ?? 0, radix: 16, uppercase: true)
      let tail = String(repeating: "0", count: 12 - number.count) + number
      let name = "6F9619FF-8B86-4D01-B42D-" + tail
      names.append(name)
      try FileSystem.create("\(support)/_EXTERNAL_DATA/\(name)", Array(name.utf8))
      try connection.execute(
        "UPDATE ZPHOTO SET ZLARGE = ?1 WHERE Z_PK = ?2",
        [.blob([2] + Array(name.utf8) + [0]), row[0]])
    }
    try connection.commit()
    return names
  }
}

extension String {
  fileprivate func precedesByBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
