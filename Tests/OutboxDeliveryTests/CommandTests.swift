import Foundation
import Platform
import TestSupport
import Testing

@testable import OutboxDelivery

@Suite struct CommandTests {
  /// Runs the main program and returns what it prints as JSON, and its exit status.
  private func run(_ words: [String]) throws -> (object: [String: Any], status: Int32) {
    let program = try #require(builtPrograms) + "/outbox-migrate"
    let outcome = try Program.run(program, words + ["--json"])
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
    #expect(delivered["delivered"] as? Int == open)
    #expect(!"\(delivered)".contains("s3cret") && !"\(delivered)".contains("k3y"))
    let snapshot = try #require(delivered["snapshot"] as? String)
    #expect(try FileSystem.exists(snapshot))
    let requests = try server.requests().filter { $0.status < 300 && $0.path.contains("/v1/") }
    #expect(Set(requests.map(\.key)).subtracting([""]).count == requests.count { $0.key != "" })
    #expect(requests.allSatisfy { $0.api_key == "k3y" })
    // The new token is kept, and for its owner alone.
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
    #expect(reasons.contains { $0["message"] as? String == "the server answered with status 422" })
  }
}
