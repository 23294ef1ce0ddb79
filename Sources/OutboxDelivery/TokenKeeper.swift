package import Foundation
import JSONText

/// Keeps a token fresh.
///
/// Asks for a new one before the old one expires, and once when the server refuses it.
///
/// However many requests need a new token at once, one is asked for.
package actor TokenKeeper {
  /// The seconds before its expiry from which a token isn't used any more.
  package static let margin: TimeInterval = 300

  private var token: Token
  private var renewal: Task<Void, Never>?
  private let now: @Sendable () -> Date
  private let renew: @Sendable (Token) async -> Token?

  /// Keeps a token.
  ///
  /// - Parameters:
  ///   - token: The token to begin with.
  ///   - now: The present moment.
  ///   - renew: Asks for a new one, and keeps it where it is to be found again; nil where there is
  ///     none.
  package init(
    _ token: Token, now: @escaping @Sendable () -> Date = { Date() },
    renew: @escaping @Sendable (Token) async -> Token?
  ) {
    self.token = token
    self.now = now
    self.renew = renew
  }

  /// Returns a token to use: a new one where the old one expires within five minutes.
  ///
  /// Where no new one is to be had, the old one has to do as long as the server takes it.
  package func current() async -> String {
    if let expiry = token.expiry, expiry.timeIntervalSince(now()) < Self.margin {
      await replace(token.access)
    }
    return token.access
  }

  /// Returns another token than one that the server refused, or nil where there is none.
  package func other(than refused: String) async -> String? {
    if token.access == refused { await replace(refused) }
    return token.access == refused ? nil : token.access
  }

  private func replace(_ old: String) async {
    if let renewal { return await renewal.value }
    guard token.access == old else { return }
    // The new token is there before anybody who waits goes on.
    let task = Task {
      if let new = await renew(token) { token = new }
      renewal = nil
    }
    renewal = task
    await task.value
  }
}

extension HTTPClient {
  /// Asks the server for a new token; nil where it gives none.
  package func renewedToken(_ old: Token, at now: Date) async -> Token? {
    guard let refresh = old.refresh else { return nil }
    let request = Request(
      .post, "/api/v1/auth/refresh", body: ["refresh_token": .string(refresh)])
    guard let answer = try? await send(request), (200..<300).contains(answer.status) else {
      return nil
    }
    return Token(answer: answer.body, at: now, instead: old)
  }
}
