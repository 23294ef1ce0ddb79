import JSONText

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Provides a valid access token.
///
/// Renews the token before it expires, and once if the server rejects it. Simultaneous requests
/// share one renewal.
package actor TokenKeeper {
  /// The number of seconds before the expiry from which a token is renewed.
  package static let margin: TimeInterval = 300

  private var token: AccessToken
  private var renewal: Task<Void, Never>?
  private let now: @Sendable () -> Date
  private let renew: @Sendable (AccessToken) async -> AccessToken?

  /// Creates a keeper.
  ///
  /// - Parameters:
  ///   - token: The initial token.
  ///   - now: A closure that returns the current time.
  ///   - renew: A closure that requests a new token and saves it, or returns `nil` if
  ///     that fails.
  package init(
    _ token: AccessToken, now: @escaping @Sendable () -> Date = { Date() },
    renew: @escaping @Sendable (AccessToken) async -> AccessToken?
  ) {
    self.token = token
    self.now = now
    self.renew = renew
  }

  /// Returns a token; renews it if it expires within five minutes.
  ///
  /// If renewal fails, returns the old token, which the server may still accept.
  package func current() async -> String {
    if let expiry = token.expiry, expiry.timeIntervalSince(now()) < Self.margin {
      await replace(token.access)
    }
    return token.access
  }

  /// Returns another token than a rejected one, or `nil` if there isn't one.
  package func other(than rejected: String) async -> String? {
    if token.access == rejected { await replace(rejected) }
    return token.access == rejected ? nil : token.access
  }

  private func replace(_ old: String) async {
    if let renewal { return await renewal.value }
    guard token.access == old else { return }
    // Set the token before `renewal` ends, so that all waiting callers see it.
    let task = Task {
      if let new = await renew(token) { token = new }
      renewal = nil
    }
    renewal = task
    await task.value
  }
}

extension HTTPClient {
  /// Requests a new token from the server; returns `nil` if that fails.
  package func renewedToken(_ old: AccessToken, at now: Date) async -> AccessToken? {
    guard let refresh = old.refresh else { return nil }
    let request = Request(
      .post, "/api/v1/auth/refresh", body: (["refresh_token": .string(refresh)] as JSONValue).text()
    )
    guard let response = try? await send(request), (200..<300).contains(response.status) else {
      return nil
    }
    return AccessToken(response: response.body, at: now, replacing: old)
  }
}
