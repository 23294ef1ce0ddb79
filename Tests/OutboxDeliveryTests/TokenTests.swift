import OutboxStore
import Foundation
import Synchronization
import Testing

@testable import OutboxDelivery
import OutboxConversion

@Suite(.ownThread) struct TokenTests {
  private let now = Date(timeIntervalSinceReferenceDate: 800_000_000)

  /// Records what a token keeper requests.
  private final class Renewals: Sendable {
    let count = Mutex(0)
  }

  private func keeper(
    expiringIn seconds: TimeInterval?, _ renewals: Renewals, fails: Bool = false
  ) -> TokenKeeper {
    let token = AccessToken(
      access: "old", refresh: "r", expiry: seconds.map { now.addingTimeInterval($0) })
    return TokenKeeper(token, now: { [now] in now }) { [now] _ in
      renewals.count.withLock { $0 += 1 }
      try? await Task.sleep(for: .milliseconds(5))
      return fails ? nil : AccessToken(access: "new", expiry: now.addingTimeInterval(3_600))
    }
  }

  @Test(arguments: [(301.0, "old", 0), (300, "old", 0), (299, "new", 1), (-9, "new", 1)])
  func `a token is renewed five minutes before it expires`(
    seconds: TimeInterval, expected: String, count: Int
  ) async {
    let renewals = Renewals()
    let keeper = keeper(expiringIn: seconds, renewals)
    #expect(await keeper.current() == expected)
    #expect(renewals.count.withLock { $0 } == count)
  }

  @Test func `however many need it, one is asked for`() async {
    let renewals = Renewals()
    let keeper = keeper(expiringIn: 0, renewals)
    await withTaskGroup { group in
      for _ in 0..<20 { group.addTask { await keeper.current() } }
      for await token in group { #expect(token == "new") }
    }
    #expect(renewals.count.withLock { $0 } == 1)
  }

  @Test func `without a new one, the old one has to do`() async {
    let keeper = keeper(expiringIn: 0, Renewals(), fails: true)
    #expect(await keeper.current() == "old")
    #expect(await keeper.other(than: "old") == nil)
  }

  @Test func `a token that somebody else has renewed isn't renewed again`() async {
    let renewals = Renewals()
    let keeper = keeper(expiringIn: nil, renewals)
    #expect(await keeper.other(than: "old") == "new")
    #expect(await keeper.other(than: "old") == "new")
    #expect(renewals.count.withLock { $0 } == 1)
  }

  @Test func `a token file is a token alone, or JSON`() throws {
    #expect(try AccessToken(text: " abc.def \n") == AccessToken(access: "abc.def"))
    let full = try AccessToken(
      text: """
        {"access_token": "a", "refresh_token": "r", "expires_at": "2026-05-09T06:13:20Z",
        "api_key": "k"}
        """)
    #expect(
      full
        == AccessToken(
          access: "a", refresh: "r", expiry: Date(timeIntervalSinceReferenceDate: 800_000_000),
          apiKey: "k"))
    #expect(try AccessToken(text: full.text) == full)
    for text in [
      "", "two words", "{}", "{\"access_token\": 1}", "[1]x y",
      #"{"access_token": "a\r\nX-Other: b"}"#, #"{"access_token": "a", "api_key": "k\n"}"#,
    ] {
      #expect(throws: TokenError.unreadable) { try AccessToken(text: text) }
    }
  }

  @Test func `a date is read as it is written, with an offset too`() throws {
    for seconds in [0, 800_000_000.25, -1e9, 252_460_800.001] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let back = Date(internetText: try #require(date.internetText))
      #expect(abs((back ?? .distantPast).timeIntervalSince(date)) < 0.001)
    }
    #expect(
      Date(internetText: "2026-05-09T08:13:20+02:00")
        == Date(timeIntervalSinceReferenceDate: 800_000_000))
    for text in ["", "2026-05-09", "2026-13-09T08:13:20Z", "2026-05-09T08:13:20"] {
      #expect(Date(internetText: text) == nil)
    }
    // In a store, integers can be dates, too.
    for seconds in [-9_223_373_015_161_976, 9e15, .infinity, -.infinity, .nan, 1e300, 2.6e11] {
      #expect(Date(timeIntervalSinceReferenceDate: seconds).internetText == nil)
    }
  }
}
