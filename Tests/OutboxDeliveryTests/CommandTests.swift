import Foundation
import Platform
import Processes
import TestSupport
import Testing

@testable import OutboxDelivery
import Migrations
import OutboxConversion
import StoreProof

@Suite struct CommandTests {
  /// Runs the main program, and returns its JSON output and its exit status.
  private func run(_ words: [String]) throws -> (object: [String: Any], status: Int32) {
    let program = try #require(builtPrograms) + "/outbox-migrate"
    let outcome = try Program.run(program, words + ["--json"])
    let printed = String(decoding: outcome.output, as: UTF8.self)
    #expect(try ReportCheck(words: words + ["--json"]).problems(output: printed) == [])
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
    return (object ?? [:], outcome.status)
  }

  @Test func `from a V6 store to the server, by the command line`() throws {
    let folder = try TemporaryDirectory()
    let (store, token) = (folder.path("a store"), folder.path("token"))
    _ = try run(["fixture", "create", "lume", "V6", store, "--rows", "80", "--seed", "11"])
    #expect(try run(["apply", store, "--rows", "deliverable"]).status == 0)
    let before = try run(["outbox", "stats", store]).object
    let open =
      try #require(before["pendingCount"] as? Int) + #require(before["failedCount"] as? Int)
    #expect(open > 10)

    let server = try LoopbackServer(["--token", "s3cret", "--expired"])
    try #"{"access_token": "s3cret", "refresh_token": "refresh", "api_key": "k3y"}"#
      .write(toFile: token, atomically: true, encoding: .utf8)
    let words = ["outbox", "deliver", store, "--base-url", server.address, "--token-file", token]
    let (delivered, status) = try run(words)
    #expect(status == 0)
    let unsent = try #require(delivered["completed_without_sending"] as? Int)
    #expect(try #require(delivered["delivered"] as? Int) + unsent == open)
    #expect(delivered["open"] as? Int == open && delivered["stopped"] as? Bool == false)
    #expect(!"\(delivered)".contains("s3cret") && !"\(delivered)".contains("k3y"))
    let snapshot = try #require(delivered["snapshot"] as? String)
    #expect(try FileSystem.exists(snapshot))
    let requests = try server.requests().filter { $0.status < 300 && $0.path.contains("/v1/") }
    #expect(Set(requests.map(\.key)).subtracting([""]).count == requests.count { $0.key != "" })
    #expect(requests.allSatisfy { $0.api_key == "k3y" })
    // The new token is saved, readable only by its owner.
    let kept = try String(contentsOfFile: token, encoding: .utf8)
    #expect(kept.contains("s3cret-new") && kept.contains("k3y"))
    let attributes = try FileManager.default.attributesOfItem(atPath: token)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)

    let after = try run(["outbox", "stats", store])
    #expect(after.object["pendingCount"] as? Int == 0 && after.object["failedCount"] as? Int == 0)
    #expect(try run(["verify", store]).status == 0)
    #expect(try run(["rollback", store, "--discard-changes"]).status == 0)
    #expect(
      try run(["outbox", "stats", store]).object["pendingCount"] as? Int == before["pendingCount"]
        as? Int)
  }

  @Test func `a delivery ends with the command that asked for it`() throws {
    let folder = try TemporaryDirectory()
    let (store, gate) = (folder.path("default.store"), folder.path("gate"))
    _ = try run(["fixture", "create", "lume", "V7", store, "--rows", "40"])
    try "0".write(toFile: gate, atomically: true, encoding: .utf8)
    let server = try LoopbackServer(["--gate", gate])
    let command = Process()
    command.executableURL = URL(filePath: try #require(builtPrograms) + "/outbox-migrate")
    command.arguments = ["outbox", "deliver", store, "--base-url", server.address]
    command.standardOutput = FileHandle.nullDevice
    command.standardError = FileHandle.nullDevice
    try command.start()
    // The server doesn't respond, so the delivery waits for it.
    while try server.requests().isEmpty, command.isRunning { pause(for: .milliseconds(5)) }
    let holders = try lockHolders(of: store).map(\.processID)
    #expect(!holders.isEmpty && !holders.contains(command.processIdentifier))
    // Other signals may be blocked in threads that start programs.
    kill(command.processIdentifier, SIGKILL)
    while try lockHolders(of: store).contains(where: { holders.contains($0.processID) }) {
      pause(for: .milliseconds(5))
    }
    #expect(try run(["verify", store]).status == 0)
  }

  @Test(arguments: [
    (url: "http://example.org", token: nil, status: 64), (url: "here", token: nil, status: 64),
    (url: "http://127.0.0.1:9", token: "{}", status: 65),
    (url: "http://127.0.0.1:9", token: "", status: 74),
    (url: "http://127.0.0.1:9/api/v1", token: nil, status: 64),
  ])
  func `what a delivery can't begin with is told by its exit status`(
    url: String, token: String?, status: Int32
  ) throws {
    let folder = try TemporaryDirectory()
    let (store, file) = (folder.path("default.store"), folder.path("token"))
    _ = try run(["fixture", "create", "lume", "V7", store, "--rows", "4"])
    // An empty text represents a missing file.
    if let token, !token.isEmpty {
      try token.write(toFile: file, atomically: true, encoding: .utf8)
    }
    let words = ["outbox", "deliver", store, "--base-url", url]
    let outcome = try run(words + (token == nil ? [] : ["--token-file", file]))
    #expect(outcome.status == status)
    #expect(try FileSystem.exists(store + ".outbox-migrate") == false)
  }

  @Test(arguments: [("lume", "V7"), ("fitiq", "V11")])
  func `a server is tried with one event, which is removed again`(
    app: String, version: String
  ) throws {
    let folder = try TemporaryDirectory()
    let store = folder.path("default.store")
    _ = try run(["fixture", "create", app, version, store, "--rows", "30"])
    let dump = "SELECT hex(ZID), ZSTATUS, Z_OPT FROM ZSDOUTBOXEVENT ORDER BY Z_PK"
    let before = try query(store, dump)
    let server = try LoopbackServer()
    let words = ["outbox", "sync-test", store, "--base-url", server.address]
    #expect(try run(words + ["--dry-run"]).object["dry_run"] as? Bool == true)
    #expect(try server.requests().isEmpty && query(store, dump) == before)
    let (object, status) = try run(words)
    #expect(status == 0 && object["ok"] as? Bool == true)
    #expect(try FileSystem.exists(try #require(object["snapshot"] as? String)))
    let steps = try #require(object["steps"] as? [[String: Any]])
    #expect(steps.map { $0["step"] as? String } == ["send", "check", "delete", "remove"])
    let requests = try server.requests()
    #expect(requests.map(\.method) == ["POST", "DELETE"])
    #expect(requests[1].path.hasPrefix(requests[0].path + "/"))
    #expect(try query(store, dump) == before)
  }

  @Test func `a server that refuses is told, and one that keeps the entity`() throws {
    let folder = try TemporaryDirectory()
    let store = folder.path("default.store")
    _ = try run(["fixture", "create", "lume", "V7", store, "--rows", "30"])
    let count = "SELECT count(*), (SELECT count(*) FROM ZSDGOAL) FROM ZSDOUTBOXEVENT"
    let before = try query(store, count)
    let words = ["outbox", "sync-test", store, "--base-url"]
    let refusing = try LoopbackServer(["--fail", "9", "--status", "422"])
    let (refused, status) = try run(words + [refusing.address])
    let steps = try #require(refused["steps"] as? [[String: Any]])
    #expect(status == 1 && refused["left_on_server"] is NSNull)
    #expect(steps.map { $0["ok"] as? Bool } == [false, true])
    #expect(steps[0]["reason"] as? String == "the server responded with status 422")
    // The first request is answered, and the delete isn't allowed.
    let keeping = try LoopbackServer(["--no-deletes"])
    let (kept, keptStatus) = try run(words + [keeping.address])
    #expect(keptStatus == 1 && kept["left_on_server"] is String)
    #expect(kept["may_be_left_on_server"] as? Bool == false)
    #expect(refused["may_be_left_on_server"] as? Bool == false)
    let nameless = try LoopbackServer(["--body", #"{"data": {}}"#])
    let (unknown, unknownStatus) = try run(words + [nameless.address])
    #expect(unknownStatus == 1 && unknown["left_on_server"] is NSNull)
    #expect(unknown["may_be_left_on_server"] as? Bool == true)
    #expect(try query(store, count) == before)
  }

  @Test func `what is left is told, and in the exit status`() throws {
    let folder = try TemporaryDirectory()
    let store = folder.path("default.store")
    _ = try run(["fixture", "create", "lume", "V7", store, "--rows", "40"])
    let server = try LoopbackServer(["--fail", "1000", "--status", "422"])
    let (object, status) = try run([
      "outbox", "deliver", store, "--base-url", server.address, "--wait", "0s",
    ])
    #expect(status == 1)
    #expect(object["failed"] as? Int == object["failed_for_good"] as? Int)
    let reasons = try #require(object["reasons"] as? [[String: Any]])
    #expect(reasons.contains { $0["message"] as? String == "the server responded with status 422" })
  }

  @Test(arguments: [["--body", "<html>login</html>"], ["--fail", "100000"], []])
  func `nothing is delivered that no server accepted`(options: [String]) throws {
    let folder = try TemporaryDirectory()
    let store = folder.path("default.store")
    _ = try run(["fixture", "create", "lume", "V6", store, "--rows", "80", "--seed", "11"])
    #expect(try run(["apply", store, "--rows", "deliverable"]).status == 0)
    // Without options, nothing listens.
    let server = options.isEmpty ? nil : try LoopbackServer(options)
    let words = [
      "outbox", "deliver", store, "--base-url", server?.address ?? "http://127.0.0.1:1", "--wait",
      "0s",
    ]
    let (object, status) = try run(words)
    #expect(status == 1)
    #expect(object["delivered"] as? Int == 0)
    let counts = ["completed_without_sending", "pending", "failed"].map { object[$0] as? Int ?? 0 }
    #expect(counts[0] > 0)
    #expect(counts.reduce(0, +) == object["open"] as? Int)
    #expect((object["failed_attempts"] as? Int == 0) == (server == nil))
    let program = try #require(builtPrograms) + "/outbox-migrate"
    let text = String(decoding: try Program.run(program, words).output, as: UTF8.self)
    #expect(!text.contains("Delivered") && text.contains("Not delivered: 0 events"))
  }

  @Test func `a delivery without a store exits with 66`() throws {
    let folder = try TemporaryDirectory()
    let words = ["outbox", "deliver", folder.path("none"), "--base-url", "http://127.0.0.1:9"]
    #expect(try run(words).status == 66)
  }

  @Test(arguments: [("lume", "V6", "V7"), ("fitiq", "V11", "V11")])
  func `a dry run counts the requests of a delivery, and leaves the store alone`(
    app: String, version: String, target: String
  ) throws {
    let folder = try TemporaryDirectory()
    let store = folder.path("default.store")
    _ = try run(["fixture", "create", app, version, store, "--rows", "80", "--seed", "11"])
    if version != target { _ = try run(["apply", store, "--rows", "deliverable"]) }
    let server = try LoopbackServer()
    let words = ["outbox", "deliver", store, "--base-url", server.address, "--wait", "0s"]
    func files() throws -> [String: Data] {
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path(""))
      return Dictionary(
        uniqueKeysWithValues: names.map {
          ($0, FileManager.default.contents(atPath: folder.path($0)) ?? Data())
        })
    }
    let before = try files()
    let (forecast, status) = try run(words + ["--dry-run"])
    #expect(status == 0 && forecast["dry_run"] as? Bool == true)
    #expect(try files() == before && server.requests().isEmpty)

    let delivered = try run(words).object
    let log = try server.requests()
    let requests = try #require(forecast["requests"] as? [[String: Any]])
    for (key, method) in [("create", "POST"), ("update", "PUT"), ("delete", "DELETE")] {
      let count = requests.reduce(0) { $0 + ($1[key] as? Int ?? 0) }
      #expect(count == log.count { $0.method == method }, "\(method)")
    }
    #expect(forecast["would_send"] as? Int == delivered["delivered"] as? Int)
    #expect(
      forecast["would_complete_without_sending"] as? Int
        == delivered["completed_without_sending"] as? Int)
    #expect(forecast["would_fail"] as? Int == delivered["failed_for_good"] as? Int)
    let keys = ["would_send", "would_complete_without_sending", "would_fail", "not_tried"]
    #expect(keys.reduce(0) { $0 + (forecast[$1] as? Int ?? 0) } == forecast["open"] as? Int)
    #expect(forecast["open"] as? Int == delivered["open"] as? Int && log.count > 20)
  }
}
