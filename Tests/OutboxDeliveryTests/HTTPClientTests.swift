import OutboxCore
import OutboxStore
import Foundation
import JSONText
import Testing

@testable import OutboxDelivery
import OutboxConversion
import StoreProof

@Suite(.ownThread) final class HTTPClientTests {
  /// Keeps the test's servers alive: a server stops with its last reference.
  private var servers: [LoopbackServer] = []

  private func service(
    _ server: LoopbackServer, token: AccessToken? = nil, timeout: Double = 5
  ) throws -> Moods {
    servers.append(server)
    let client = try HTTPClient(baseURL: server.address, apiKey: "key", timeout: timeout)
    let tokens = token.map { token in
      TokenKeeper(token) { await client.renewedToken($0, at: Date()) }
    }
    return Moods(backend: HTTPBackend(BackendConnection(client, tokens: tokens)))
  }

  /// Sends requests about moods.
  private struct Moods {
    let backend: HTTPBackend

    func create(_ body: JSONValue, key: UUID) async throws -> String? {
      try await backend.send(BackendRequest(.moodEntry, .create(body: body.text()), key: key))
    }

    func update(_ id: String, _ body: JSONValue, key: UUID) async throws {
      let operation = BackendRequest.Operation.update(id: id, body: body.text())
      _ = try await backend.send(BackendRequest(.moodEntry, operation, key: key))
    }

    func delete(_ id: String, key: UUID) async throws {
      _ = try await backend.send(BackendRequest(.moodEntry, .delete(id: id), key: key))
    }
  }

  private func error(_ body: () async throws -> Void) async -> HTTPError? {
    do { try await body() } catch { return error as? HTTPError }
    return nil
  }

  @Test(arguments: [
    "http://example.org", "http://127.0.0.1.example.org", "http://localhost.evil",
    "http://10.0.0.1",
  ])
  func `tokens aren't sent in the clear to another machine`(address: String) {
    let error = #expect(throws: HTTPError.self) { try HTTPClient(baseURL: address) }
    #expect(error?.description.contains("requires HTTPS") == true)
  }

  @Test(arguments: [
    "ftp://example.org", "example.org", "https://", "https://user:pass@example.org",
    "https://example.org?x=1", "http://127.0.0.1:99999", "https://example.org:0",
  ])
  func `what is no address of a server is refused`(address: String) {
    let mayHoldSecret = address.contains { "@?#".contains($0) }
    let error = #expect(throws: HTTPError.self) { try HTTPClient(baseURL: address) }
    #expect(error == .badAddress(mayHoldSecret ? nil : address))
    #expect(error?.description.contains(address) == !mayHoldSecret)
  }

  @Test(arguments: [
    "https://example.org", "http://localhost:1", "http://127.8.9.1", "http://[::1]:80/",
  ])
  func `HTTPS is spoken with all, HTTP with this machine`(address: String) throws {
    _ = try HTTPClient(baseURL: address)
  }

  @Test(arguments: [
    "http://127.0.0.1/api/v1", "https://example.org/api/v1/", "https://example.org/x/API/V1/y",
    "https://example.org/api",
  ])
  func `a path that each request's path begins with isn't part of the address`(address: String) {
    #expect(throws: HTTPError.doubledPath) { try HTTPClient(baseURL: address) }
  }

  @Test(arguments: ["https://example.org/lume", "https://example.org/api-v1", "http://[::1]/v1/"])
  func `other paths are part of the address`(address: String) throws {
    _ = try HTTPClient(baseURL: address)
  }

  @Test func `a login page isn't an answer`() async throws {
    let service = try service(LoopbackServer(["--body", "<html>login</html>"]))
    let create = await error { _ = try await service.create([:], key: UUID()) }
    let update = await error { try await service.update("x", [:], key: UUID()) }
    let delete = await error { try await service.delete("x", key: UUID()) }
    #expect([create, update, delete] == [.notJSON, .notJSON, .notJSON])
    #expect(HTTPError.notJSON.isPermanent == false)
  }

  @Test func `a missing page of another server isn't a deleted entity`() async throws {
    let service = try service(
      LoopbackServer(["--fail", "1", "--status", "404", "--failure", "<html>not found</html>"]))
    #expect(await error { try await service.delete("x", key: UUID()) } == .notJSON)
  }

  @Test(arguments: [
    "", "{}", #"{"data": {}}"#, #"{"id": null}"#, #"{"id": ""}"#, #"{"id": []}"#, "[1]", "true",
  ])
  func `an answer to a create without an id is a failure`(body: String) async throws {
    let service = try service(LoopbackServer(["--body", body]))
    #expect(await error { _ = try await service.create([:], key: UUID()) } == .noID)
    try await service.update("x", [:], key: UUID())
    try await service.delete("x", key: UUID())
  }

  @Test(arguments: [(#"{"id": "a"}"#, "a"), (#"{"data": {"id": 12}}"#, "12")])
  func `an id is a text or a number`(body: String, id: String) async throws {
    let service = try service(LoopbackServer(["--body", body]))
    #expect(try await service.create([:], key: UUID()) == id)
  }

  @Test(arguments: ["slow", "continue", "headers"])
  func `a response that never ends is given up in time`(form: String) async throws {
    let service = try service(LoopbackServer(["--stream", form]), timeout: 1)
    // The server would send for days.
    let lost = await error { _ = try await service.create([:], key: UUID()) }
    guard case .connectionLost = lost else {
      Issue.record("\(String(describing: lost))")
      return
    }
  }

  @Test func `a response that is too large is given up at once`() async throws {
    let service = try service(LoopbackServer(["--stream", "huge"]), timeout: 300)
    #expect(await error { _ = try await service.create([:], key: UUID()) } == .tooLarge)
  }

  @Test func `a mood is made, changed and removed`() async throws {
    let server = try LoopbackServer(["--token", "secret"])
    let service = try service(server, token: AccessToken(access: "secret"))
    let keys = [UUID(), UUID(), UUID()]
    let id = try #require(try await service.create(["valence": 0.5], key: keys[0]))
    try await service.update(id, ["valence": 1], key: keys[1])
    try await service.delete("a/b ä", key: keys[2])
    let log = try server.log()
    #expect(log.map(\.request.method) == ["POST", "PUT", "DELETE"])
    #expect(
      log.map(\.request.path) == [
        "/api/v1/moods", "/api/v1/moods/\(id)", "/api/v1/moods/a%2Fb%20%C3%A4",
      ])
    #expect(log.map(\.request.key) == keys.map(\.uuidString))
    #expect(log.allSatisfy { $0.request.token == "Bearer secret" && $0.request.api_key == "key" })
    #expect((log[0].line["body"] as? [String: Double]) == ["valence": 0.5])
  }

  @Test func `a refused token is renewed once`() async throws {
    let server = try LoopbackServer(["--token", "t", "--expired"])
    let service = try service(server, token: AccessToken(access: "t", refresh: "refresh"))
    try await withThrowingTaskGroup { group in
      for _ in 0..<5 { group.addTask { _ = try await service.create([:], key: UUID()) } }
      try await group.waitForAll()
    }
    let requests = try server.requests()
    #expect(requests.count { $0.path == "/api/v1/auth/refresh" } == 1)
    #expect(requests.count { $0.status == 201 } == 5)
  }

  @Test func `a token that is refused for good stops the delivery, and costs no attempt`()
    async throws
  {
    let server = try LoopbackServer(["--token", "t", "--expired"])
    let service = try service(server, token: AccessToken(access: "t", refresh: "wrong"))
    let error = await error { _ = try await service.create([:], key: UUID()) }
    #expect(error == .unauthorized)
    #expect(error?.retryAfter != nil && error?.isPermanent == false)
    #expect("\(String(reflecting: AccessToken(access: "t0k3n")))".contains("t0k3n") == false)
  }

  @Test(arguments: [
    (500, false), (503, false), (408, false), (400, true), (422, true), (403, true),
  ])
  func `a status says whether to try again`(status: Int, isPermanent: Bool) async throws {
    let server = try LoopbackServer(["--fail", "1", "--status", "\(status)"])
    let service = try service(server)
    let error = await error { _ = try await service.create([:], key: UUID()) }
    #expect(error == .status(status, retryAfter: nil))
    #expect(error?.isPermanent == isPermanent)
  }

  @Test func `a busy server says for how long`() async throws {
    let server = try LoopbackServer(["--fail", "1", "--status", "429", "--retry-after", "7"])
    let service = try service(server)
    let error = await error { _ = try await service.create([:], key: UUID()) }
    #expect(error?.retryAfter == 7)
  }

  @Test(arguments: [
    ("0", 1), ("-7", 1), ("nan", 5), ("inf", 3_600), ("soon", 5), ("", 5), ("1e9", 3_600),
    ("2.5", 2.5),
    ("Sun, 06 Nov 1994 08:49:37 GMT", 1), ("Sun, 22 Nov 2026 12:00:30 GMT", 30),
  ])
  func `a pause lasts a second at least, and an hour at most`(text: String, seconds: Double) throws
  {
    let now = try #require(Date(internetText: "2026-11-22T12:00:00Z"))
    #expect(HTTPClient.delay(text, after: now) == seconds)
  }

  @Test func `who is cancelled before a request begins isn't left waiting`() async throws {
    let server = try LoopbackServer([])
    let client = try HTTPClient(baseURL: server.address)
    for _ in 0..<50 {
      let task = Task { _ = try await client.send(HTTPClient.Request(.post, "/")) }
      task.cancel()
      _ = await task.result
    }
  }

  @Test func `what is gone, or there already, is done`() async throws {
    let gone = try LoopbackServer(["--fail", "1", "--status", "404"])
    try await service(gone).delete("x", key: UUID())
    let there = try LoopbackServer(["--fail", "1", "--status", "409"])
    #expect(try await service(there).create([:], key: UUID()) == nil)
    let missing = try LoopbackServer(["--fail", "1", "--status", "404"])
    let service = try service(missing)
    let error = await error { try await service.update("x", [:], key: UUID()) }
    #expect(error?.isPermanent == true)
  }

  @Test func `a connection that breaks or takes too long isn't one that never was`() async throws {
    let dropping = try service(LoopbackServer(["--drop", "9"]))
    let lost = await error { _ = try await dropping.create([:], key: UUID()) }
    guard case .connectionLost = lost else {
      Issue.record("\(String(describing: lost))")
      return
    }
    #expect(lost?.retryAfter == nil)
    let slowServer = try LoopbackServer(["--delay", "9"])
    let slow = try service(slowServer, timeout: 1)
    let late = await error { _ = try await slow.create([:], key: UUID()) }
    guard case .connectionLost = late else {
      Issue.record("\(String(describing: late))")
      return
    }
    let client = try HTTPClient(baseURL: "http://127.0.0.1:1")
    let unheard = await error { _ = try await client.send(HTTPClient.Request(.post, "/")) }
    #expect(unheard?.retryAfter == 5)
  }

  @Test func `a redirection isn't followed with the token`() async throws {
    let target = try LoopbackServer()
    let server = try LoopbackServer(["--redirect", target.address])
    let service = try service(server, token: AccessToken(access: "t"))
    let error = await error { _ = try await service.create([:], key: UUID()) }
    #expect(error == .status(307, retryAfter: nil))
    #expect(try target.requests().isEmpty)
  }
}
