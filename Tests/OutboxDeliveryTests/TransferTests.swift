import Foundation
import Testing
import Transfers

@testable import OutboxDelivery

private let request = HTTPClient.Request(.post, "/api/v1/moods", body: "{}")

/// The outcome of a request: a status or an error.
private func outcome(
  _ client: HTTPClient, _ request: HTTPClient.Request = request
) async -> Result<Int, HTTPError> {
  do {
    return .success(try await client.send(request).status)
  } catch {
    return .failure(error as? HTTPError ?? .unauthorized)
  }
}

/// What the requests of a client do to connections, and what servers do to requests.
@Suite(.ownThread) struct TransferTests {
  /// Keeps the test's servers alive: a server stops with its last reference.
  private final class Servers {
    var all: [LoopbackServer] = []
  }

  private let servers = Servers()

  private func server(_ options: [String] = []) throws -> LoopbackServer {
    let server = try LoopbackServer(options)
    servers.all.append(server)
    return server
  }

  private var certificate: String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "server.pem").path
  }

  @Test func `one connection serves one request after the other`() async throws {
    let server = try server()
    let client = try HTTPClient(baseURL: server.address)
    for _ in 0..<20 { #expect(await outcome(client) == .success(201)) }
    let requests = try server.requests()
    #expect(requests.count == 20 && Set(requests.map(\.connection)) == [1])
  }

  @Test func `64 requests at once get their own answers`() async throws {
    let server = try server(["--delay", "0.2"])
    let client = try HTTPClient(baseURL: server.address, timeout: 60, connections: 64)
    for _ in 0..<2 {
      try await withThrowingTaskGroup { group in
        for number in 0..<64 {
          group.addTask {
            let (key, body) = (UUID().uuidString, #"{"number": \#(number)}"#)
            let response = try await client.send(
              HTTPClient.Request(.put, "/\(number)", body: body, idempotencyKey: key))
            #expect(response.status == 200)
          }
        }
        try await group.waitForAll()
      }
    }
    let log = try server.log()
    #expect(log.count == 128 && Set(log.map(\.request.key)).count == 128)
    for entry in log {
      let number = (entry.line["body"] as? [String: Int])?["number"] ?? -1
      #expect(entry.request.path == "/\(number)")
    }
    // The second half used the connections of the first.
    #expect(Set(log.map(\.request.connection)).count <= 64)
  }

  @Test func `no more connections than allowed are made`() async throws {
    let server = try server(["--delay", "0.02"])
    let client = try HTTPClient(baseURL: server.address, timeout: 60, connections: 2)
    await withTaskGroup { group in
      for _ in 0..<12 { group.addTask { await outcome(client) } }
      for await result in group { #expect(result == .success(201)) }
    }
    #expect(Set(try server.requests().map(\.connection)).count == 2)
  }

  @Test func `a server may close connections between requests`() async throws {
    let server = try server(["--close"])
    let client = try HTTPClient(baseURL: server.address)
    for _ in 0..<10 {
      let key = UUID().uuidString
      let keyed = HTTPClient.Request(.post, "/", body: "{}", idempotencyKey: key)
      #expect(await outcome(client, keyed) == .success(201))
    }
    let requests = try server.requests()
    #expect(requests.count == 10 && Set(requests.map(\.connection)).count == 10)
  }

  @Test func `an answer that is cut short isn't an answer`() async throws {
    let client = try HTTPClient(baseURL: try server(["--cut"]).address)
    #expect(await outcome(client) == .failure(.connectionLost(code: 18)))
  }

  @Test func `an answer that isn't HTTP can't be read`() async throws {
    let client = try HTTPClient(baseURL: try server(["--raw", "220 mail\r\n"]).address)
    #expect(await outcome(client) == .failure(.badResponse))
    #expect(HTTPError.badResponse.mayBeDone)
  }

  @Test func `a compressed answer is read, within the same limit`() async throws {
    let client = try HTTPClient(baseURL: try server(["--gzip", "--body", #"{"id": "a"}"#]).address)
    let response = try await client.send(request)
    #expect(response.body == Array(#"{"id": "a"}"#.utf8))
    let body = "[\"" + String(repeating: "a", count: 1 << 16) + "\"]"
    let small = try HTTPClient(baseURL: try server(["--gzip", "--body", body]).address)
    #expect(try await small.send(request).body.count == body.utf8.count)
    var settings = TransferSet.Settings()
    settings.byteLimit = 1 << 15
    settings.isEncrypted = false
    settings.usesProxies = false
    let set = try TransferSet(settings)
    let direct = TransferRequest(
      method: "POST", url: try #require(servers.all.last).address, headers: [:], body: "{}",
      timeout: .seconds(30))
    await #expect(throws: TransferError.tooLarge) { try await set.response(to: direct) }
  }

  @Test func `a long body is sent at once`() async throws {
    let server = try server()
    let client = try HTTPClient(baseURL: server.address)
    let body = "[\"" + String(repeating: "ä", count: 1 << 20) + "\"]"
    #expect(await outcome(client, HTTPClient.Request(.put, "/", body: body)) == .success(200))
    #expect((try server.log()[0].line["body"] as? [String])?.first?.utf8.count == 2 << 20)
  }

  @Test func `a header can't begin another one`() async throws {
    let server = try server()
    let client = try HTTPClient(baseURL: server.address)
    await #expect(throws: HTTPError.self) {
      try await client.send(request, token: "a\r\nX-Other: b")
    }
    #expect(try server.requests().isEmpty)
  }

  @Test(arguments: [["--delay", "600"], ["--stream", "slow"]])
  func `a request is cancelled at once, whatever it waits for`(options: [String]) async throws {
    let server = try server(options)
    let client = try HTTPClient(baseURL: server.address, timeout: 600, connections: 1)
    // The second one waits for the connection.
    let tasks = (0..<2).map { _ in Task { try await client.send(request) } }
    while try server.requests().isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    for task in tasks { task.cancel() }
    for task in tasks {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    // The connection is given up, so another request gets one.
    let third = Task { try await client.send(request) }
    while try server.requests().count < 2 { try await Task.sleep(for: .milliseconds(5)) }
    third.cancel()
    _ = await third.result
  }

  @Test func `a server that accepts no connection is given up in time, or cancelled`() async throws
  {
    // Nothing accepts: connections beyond the queue's length wait.
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let listener = socket(AF_INET, stream, 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, size) + listen(listener, 0) + getsockname(listener, pointer, &size)
      }
    }
    #expect(bound == 0)
    let url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    let client = try HTTPClient(baseURL: url, timeout: 1, connections: 8)
    await withTaskGroup { group in
      for _ in 0..<8 { group.addTask { await outcome(client) } }
      for await result in group { #expect(result == .failure(.connectionLost(code: 28))) }
    }
    let patient = try HTTPClient(baseURL: url, timeout: 600, connections: 8)
    let tasks = (0..<8).map { _ in Task { try await patient.send(request) } }
    try await Task.sleep(for: .milliseconds(50))
    for task in tasks { task.cancel() }
    for task in tasks {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test func `a client that is gone leaves no request waiting`() async throws {
    let server = try server(["--delay", "600"])
    for _ in 0..<20 {
      let task = Task { [address = server.address] in
        _ = try await HTTPClient(baseURL: address, timeout: 600).send(request)
      }
      try await Task.sleep(for: .milliseconds(2))
      task.cancel()
      _ = await task.result
    }
  }

  @Test func `a certificate of nobody's is refused, before anything is sent`() async throws {
    let server = try server(["--certificate", certificate])
    let address = "https://127.0.0.1:\(server.port)"
    let client = try HTTPClient(baseURL: address)
    #expect(await outcome(client) == .failure(.unreachable(code: 60)))
    #expect(try server.requests().isEmpty)
    let trusting = try HTTPClient(baseURL: address, authorities: certificate)
    #expect(await outcome(trusting) == .success(201))
    #expect(await outcome(trusting) == .success(201))
    #expect(Set(try server.requests().map(\.connection)).count == 1)
    // The certificate is for the address.
    let other = try HTTPClient(
      baseURL: "https://localhost:\(server.port)", authorities: certificate)
    #expect(await outcome(other) == .failure(.unreachable(code: 60)))
    #expect(try server.requests().count == 2)
  }

  @Test func `HTTP is refused where HTTPS is meant`() async throws {
    let server = try server()
    let set = try TransferSet(TransferSet.Settings())
    let direct = TransferRequest(
      method: "POST", url: server.address, headers: [:], body: "{}", timeout: .seconds(30))
    await #expect(throws: TransferError.failed(code: 1)) { try await set.response(to: direct) }
    #expect(try server.requests().isEmpty)
  }

  @Test(arguments: ["http://127.0.0.1\\@example.org", "http://127.0.0.1 .example.org"])
  func `an address that two parsers read differently is refused`(address: String) {
    #expect(throws: HTTPError.self) { try HTTPClient(baseURL: address) }
  }
}
