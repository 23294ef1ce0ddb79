import Foundation
import Platform
import SQLite
import Testing
import TestSupport
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Folders and disks that are full, foreign, or not what they seem.
@Suite struct PlacesTests {
  private let folder: TemporaryDirectory
  private let path: String
  private let apply: [String]

  init() throws {
    folder = try TemporaryDirectory()
    path = try makeStore(in: folder, rows: 60)
    apply = ["apply", path, "--user-id", "somebody"]
  }

  // MARK: Links

  @Test func `files that a link leads to from a snapshot's folder are left alone`() throws {
    #expect(run(apply).status == 0)
    let elsewhere = try TemporaryDirectory()
    let secret = elsewhere.path("secret")
    try FileSystem.create(secret, Array("secret".utf8))
    let snapshots = path + ".snapshots"
    let snapshot = snapshots + "/" + (try #require(try FileSystem.list(snapshots).first))
    // A whole folder by a link, with a name that is older than any.
    try FileSystem.symbolicLink(snapshots + "/V6-V7-20200101T000000Z", to: elsewhere.path)
    #expect(run(["snapshot", "prune", path, "--keep", "1"]).status == 0)
    #expect(try FileSystem.read(secret) == Array("secret".utf8))
    try FileSystem.removeIfPresent(snapshots + "/V6-V7-20200101T000000Z")
    // The kept store by a link.
    try FileSystem.rename(snapshot + "/default.store", to: elsewhere.path("default.store"))
    try FileSystem.symbolicLink(
      snapshot + "/default.store", to: elsewhere.path("default.store"))
    let before = try FileSystem.read(path)
    let answer = run(["rollback", path])
    #expect(answer.status == 1, "\(answer.error)")
    #expect(try FileSystem.read(path) == before)
    #expect(try FileSystem.list(elsewhere.path) == ["default.store", "secret"])
  }

  @Test(arguments: ["work", "header", "receipt.json", "receipt.json.new", "work-journal"])
  func `a link in a killed run's folder isn't followed`(name: String) throws {
    let elsewhere = try TemporaryDirectory()
    let secret = elsewhere.path("secret")
    try FileSystem.create(secret, Array("secret".utf8))
    let left = path + ".snapshots/V6-V7-20260101T000000Z"
    try FileSystem.createDirectory(path + ".snapshots", mode: 0o700)
    try FileSystem.createDirectory(left, mode: 0o700)
    try FileSystem.symbolicLink("\(left)/\(name)", to: secret)
    let answer = run(apply)
    #expect([0, 1, 73, 74].contains(answer.status), "\(answer.error)")
    #expect(try FileSystem.read(secret) == Array("secret".utf8))
    let version = run(["status", path, "--json"]).output.contains("\"V7\"")
    #expect(version || answer.status != 0)
  }

  /// Somebody puts links where the run is about to write, for as long as it runs.
  @Test func `nobody who races a run makes it write elsewhere`() throws {
    guard let shell = Shell(in: folder), Shell.isRoot else {
      print("skipped: only root can be somebody else")
      return
    }
    // In a folder like /tmp, another user may add names and take away none of ours.
    let answer = try shell.run(
      """
      chmod 1777 .; echo secret > victim; chmod 600 victim
      setpriv --reuid=65534 --regid=65534 --clear-groups sh -c '
        while [ ! -e stop ]; do
          for name in default.store-wal default.store-shm default.store-journal; do
            ln -s victim "$name" 2> /dev/null; rm -f "$name" 2> /dev/null
          done
        done' & racer=$!
      for i in 1 2 3; do
        outbox-migrate apply default.store --user-id somebody; echo "apply $?"
        outbox-migrate rollback default.store; echo "rollback $?"
      done
      touch stop; wait $racer; cat victim
      """)
    #expect(answer.text.hasSuffix("secret\n"))
    for line in answer.text.split(separator: "\n") where line.hasPrefix("apply ") {
      #expect(["apply 0", "apply 1", "apply 5", "apply 73", "apply 74", "apply 4"].contains(line))
    }
    #expect([0, 4].contains(run(["verify", path]).status))
  }

  // MARK: Systems

  @Test func `without /proc, the tool does what its words say`() throws {
    guard Shell.isRoot, let shell = Shell(in: folder) else {
      print("skipped: only root can hide /proc")
      return
    }
    let answer = try shell.run(
      """
      unshare --mount sh -c '
        mount -t tmpfs none /proc || exit 99
        outbox-migrate apply default.store --user-id somebody; echo "status $?"
        outbox-migrate status default.store
        outbox-migrate rollback default.store; echo "status $?"
        outbox-migrate status absent.store; echo "status $?"
        outbox-deliver; echo "status $?"'
      """)
    if answer.status == 99 { return print("skipped: /proc can't be hidden here") }
    let statuses = answer.text.split(separator: "\n").filter { $0.hasPrefix("status ") }
    #expect(statuses == ["status 0", "status 0", "status 66", "status 64"], "\(answer.text)")
    #expect(answer.text.contains("Lume V7, exact"), "\(answer.text)")
    #expect(answer.text.contains("'absent.store'"), "\(answer.text)")
  }

  // MARK: Permissions

  @Test(arguments: ["000", "022", "077", "777"])
  func `what a run writes is the owner's, whatever the umask`(mask: String) throws {
    guard let shell = Shell(in: folder) else { return }
    _ = try shell.run("chmod 600 default.store")
    let answer = try shell.run(
      """
      umask \(mask); outbox-migrate apply default.store --user-id somebody &&
      outbox-migrate snapshot list default.store --check && outbox-migrate verify default.store &&
      outbox-migrate plan default.store --out saved.plan
      """)
    #expect(answer.status == 0, "\(answer.text)")
    for name in try FileSystem.list(path + ".snapshots") {
      let folder = "\(path).snapshots/\(name)"
      #expect(try FileStatus(of: folder).mode == 0o700)
      for file in try FileSystem.list(folder) {
        #expect(try FileStatus(of: "\(folder)/\(file)").mode == 0o600, "\(file)")
      }
    }
    #expect(try FileStatus(of: path + ".snapshots").mode == 0o700)
    #expect(try FileStatus(of: path).mode == 0o600)
    #expect(try FileStatus(of: folder.path("saved.plan")).mode == 0o600)
    #expect(try shell.run("umask \(mask); outbox-migrate rollback default.store").status == 0)
  }

  @Test func `in a folder that everybody writes to, the snapshots are the owner's`() throws {
    guard let shell = Shell(in: folder) else { return }
    _ = try shell.run("chmod 777 .; chmod 600 default.store")
    #expect(run(apply).status == 0)
    #expect(try FileStatus(of: path + ".snapshots").mode == 0o700)
    #expect(run(["rollback", path]).status == 0)
  }

  // MARK: Space

  /// Runs a script on a disk of its own of a few hundred kilobytes.
  private func onSmallDisk(
    kilobytes: Int, _ script: String
  ) throws -> (status: Int32, text: String)? {
    guard Shell.isRoot, let shell = Shell(in: folder) else {
      print("skipped: only root can mount a small disk")
      return nil
    }
    let answer = try shell.run(
      """
      mkdir -p disk; mount -t tmpfs -o size=\(kilobytes)k none disk 2> /dev/null || exit 99
      cp default.store disk; cd disk
      \(script)
      status=$?; cd ..; umount disk; rmdir disk; exit $status
      """)
    guard answer.status != 99 else {
      print("skipped: a small disk can't be mounted here")
      return nil
    }
    return answer
  }

  @Test func `a disk that is too small is found before anything is written`() throws {
    let size = try FileStatus(of: path).size / 1024
    let answer = try onSmallDisk(
      kilobytes: Int(size) + 200,
      """
      before=$(sha256sum default.store; ls -l --full-time)
      outbox-migrate apply default.store --user-id somebody; echo "status $?"
      [ "$before" = "$(sha256sum default.store; ls -l --full-time)" ] && echo untouched
      """)
    guard let answer else { return }
    #expect(answer.text.contains("status 73"), "\(answer.text)")
    #expect(answer.text.contains("untouched"), "\(answer.text)")
    #expect(answer.text.contains("needed") && answer.text.contains("free"), "\(answer.text)")
    #expect(answer.text.split(separator: "\n").count == 3, "\(answer.text)")
  }

  @Test func `going back to exactly the snapshot takes room for the receipts alone`() throws {
    let size = try FileStatus(of: path).size / 1024
    let answer = try onSmallDisk(
      kilobytes: 5 * Int(size) + 3_000,
      """
      before=$(sha256sum < default.store)
      outbox-migrate apply default.store --user-id somebody > out 2>&1; echo "status $?"
      cat /dev/zero > fill 2> out; rm out; truncate -s -160000 fill
      outbox-migrate rollback default.store; echo "status $?"
      [ "$before" = "$(sha256sum < default.store)" ] && echo back
      """)
    guard let answer else { return }
    #expect(answer.text.components(separatedBy: "status 0").count == 3, "\(answer.text)")
    #expect(answer.text.contains("back"), "\(answer.text)")
  }

  @Test func `who may read a snapshot's file and not write it gets a copy`() throws {
    guard Shell.isRoot, let shell = Shell(in: folder) else {
      print("skipped: only root can be somebody else")
      return
    }
    let answer = try shell.run(
      """
      chmod 755 .; mkdir -m 777 theirs; cp default.store theirs; chown 65534 theirs/default.store
      before=$(sha256sum < theirs/default.store)
      as() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
      as true || exit 99
      as outbox-migrate apply theirs/default.store --user-id somebody; echo "status $?"
      chmod 444 theirs/default.store.snapshots/*/default.store
      chown root theirs/default.store.snapshots/*/default.store
      as outbox-migrate rollback theirs/default.store; echo "status $?"
      [ "$before" = "$(sha256sum < theirs/default.store)" ] && echo back
      """)
    if answer.status == 99 { return print("skipped: nobody can't be had here") }
    #expect(answer.text.components(separatedBy: "status 0").count == 3, "\(answer.text)")
    #expect(answer.text.contains("back"), "\(answer.text)")
  }

  /// Wherever a run meets a limit to the size of files, the old store is whole.
  @Test func `a file size limit that is met anywhere leaves the old store whole`() throws {
    guard let shell = Shell(in: folder) else { return }
    let size = Int(try FileStatus(of: path).size)
    let before = try FileSystem.read(path)
    let limits = [1, 8, 64, size / 1024 - 8, size / 1024 / 2, size / 1024 + 4]
    for limit in limits {
      // The shell counts in blocks of 512 or of 1,024 bytes.
      let answer = try shell.run(
        """
        ulimit -f \(limit * 2)
        outbox-migrate apply default.store --user-id somebody
        """)
      let label: Comment = "limit \(limit): \(answer.text)"
      guard answer.status != 0 else { continue }
      #expect([73, 74].contains(answer.status), label)
      #expect(answer.text.hasPrefix("Error: "), label)
      #expect(!answer.text.contains("SQLite error"), label)
      #expect(try FileSystem.read(path) == before, label)
      #expect(try folder.names == ["default.store"], label)
      #expect(run(["verify", path]).status == 0, label)
    }
  }

  @Test func `a quota that is reached in the middle leaves the old store whole`() throws {
    let size = Int(try FileStatus(of: path).size) / 1024
    // The space that is free at first goes to somebody else at some moment of the run.
    for filler in isTorture ? Array(stride(from: 1, to: 2 * size, by: 24)) : [40, 120, size] {
      let answer = try onSmallDisk(
        kilobytes: size * 2 + 4_000,
        """
        before=$(sha256sum default.store)
        strace -f -qq -o /dev/null -e trace=pwrite64 -e inject=pwrite64:error=ENOSPC:when=\(filler)+ \\
          outbox-migrate apply default.store --user-id somebody; echo "status $?"
        [ "$before" = "$(sha256sum default.store)" ] && echo untouched
        ls -A; outbox-migrate verify default.store > /dev/null && echo sound
        """)
      guard let answer else { return }
      let label: Comment = "from write \(filler) on: \(answer.text)"
      #expect(answer.text.contains("sound"), label)
      guard !answer.text.contains("status 0") else { continue }
      #expect(
        answer.text.contains("status 73") || answer.text.contains("status 74"), label)
      #expect(answer.text.contains("untouched\ndefault.store\nsound"), label)
    }
  }

  @Test func `a disk that fills while a plan, a schema or a report is written`() throws {
    let answer = try onSmallDisk(
      kilobytes: Int(try FileStatus(of: path).size / 1024) + 8,
      """
      head -c 10000000 /dev/zero > filler 2> /dev/null
      outbox-migrate plan default.store --user-id x --out saved.plan; echo "status $?"
      outbox-migrate schema capture default.store --out s.json; echo "status $?"
      outbox-migrate status default.store > report; echo "status $?"
      outbox-migrate fixture create lume V6 other.store; echo "status $?"
      rm report; ls -A
      """)
    guard let answer else { return }
    let statuses = answer.text.split(separator: "\n").filter { $0.hasPrefix("status ") }
    #expect(
      statuses.allSatisfy { ["status 73", "status 74"].contains($0) } && statuses.count == 4,
      "\(answer.text)")
    #expect(answer.text.hasSuffix("default.store\nfiller\n"), "\(answer.text)")
  }
}
