import Platform
import Testing
import TestSupport
import OutboxConversion
import StoreProof

/// What the system forbids a user, a plan knows as well as `apply`, which leaves nothing behind.
@Suite struct PlanPermissionTests {
  private static let nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups"

  /// A store that another user may read and write, in a folder that everybody may write to.
  private struct Place {
    let folder: TemporaryDirectory
    let shell: Shell

    init?(mode: String = "777") throws {
      folder = try TemporaryDirectory()
      guard let shell = Shell(in: folder), Shell.isRoot else {
        print("skipped: only root can be somebody else")
        return nil
      }
      self.shell = shell
      _ = try makeStore(in: folder)
      let trial = try shell.run(
        "chmod 666 default.store; chmod \(mode) .; \(nobody) outbox-migrate --version")
      guard trial.status == 0 else {
        print("skipped: 'setpriv' can't run the program as another user")
        return nil
      }
    }

    /// Expects the status, and the words in its reason, of plan and apply; nothing may change.
    func expect(
      _ status: Int32, _ reason: String, code: String = "permissions", by user: String = nobody
    ) throws {
      let before = try filesBelow(folder.path)
      for command in ["plan", "apply"] {
        let answer = try shell.run("\(user) outbox-migrate \(command) --user-id x default.store")
        #expect(answer.status == status, "\(command): \(answer.text)")
        #expect(answer.text.contains(reason), "\(command): \(answer.text)")
        #expect(command == "apply" || answer.text.contains("\n  \(code)   exit \(status)\n"))
      }
      #expect(try filesBelow(folder.path) == before)
      #expect(try !folder.names.contains("default.store.snapshots"))
    }
  }

  @Test func `a sticky folder keeps others from replacing a store`() throws {
    guard let place = try Place(mode: "1777") else { return }
    try place.expect(73, "belongs to another user")
    // The owner of the store may replace it, but not the owner of its log.
    _ = try place.shell.run("chown 65534 default.store; touch default.store-wal; chmod 666 *-wal")
    try place.expect(73, "default.store-wal' belongs to another user")
    _ = try place.shell.run("chown 65534 *-wal")
    let answer = try place.shell.run(
      "\(Self.nobody) outbox-migrate apply --user-id x default.store")
    #expect(answer.status == 0, "\(answer.text)")
  }

  @Test func `a store of another user is refused at once`() throws {
    guard let place = try Place() else { return }
    try place.expect(73, "default.store' belongs to user 0")
  }

  @Test func `external data that can't be read is refused at once`() throws {
    guard let place = try Place() else { return }
    _ = try place.shell.run(
      "chown -R 65534 .; mkdir -p .default_SUPPORT/_EXTERNAL_DATA; "
        + "touch .default_SUPPORT/_EXTERNAL_DATA/A; chmod 000 .default_SUPPORT/_EXTERNAL_DATA/A")
    try place.expect(74, "_EXTERNAL_DATA/A': permission denied")
  }

  @Test func `parked values that can't be read are refused at once`() throws {
    guard let place = try Place() else { return }
    let name = "default.store.parked-V7-V6-20260101T000000Z.jsonl"
    _ = try place.shell.run("chown -R 65534 .; touch \(name); chown 0 \(name); chmod 000 \(name)")
    try place.expect(74, "\(name)': permission denied")
  }

  @Test(arguments: ["a", "i"], [".", "default.store", "default.store-wal"])
  func `what even root may not change is refused at once`(attribute: String, name: String) throws {
    guard let place = try Place() else { return }
    _ = try place.shell.run("touch default.store-wal")
    guard try place.shell.run("chattr +\(attribute) \(name)").status == 0 else {
      print("skipped: 'chattr' can't set attributes here")
      return
    }
    defer { _ = try? place.shell.run("chattr -\(attribute) \(name)") }
    try place.expect(73, "", by: "")
  }
}
