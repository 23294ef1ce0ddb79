import CTransfers
import Platform

/// Sends HTTP requests with libcurl, several at once, on a thread of its own.
///
/// Connections are kept for later requests. Redirects aren't followed, certificates are checked, and
/// nothing else of the environment is read than its proxies.
package final class TransferSet: Sendable {
  /// What all requests have in common.
  package struct Settings: Hashable, Sendable {
    /// The maximum number of connections.
    package var connectionCount = 3

    /// The maximum number of bytes of a response's body.
    package var byteLimit = 1 << 20

    /// Whether only HTTPS is allowed.
    package var isEncrypted = true

    /// Whether the environment's proxies are used: <https://curl.se/libcurl/c/libcurl-env.html>.
    package var usesProxies = true

    /// The path of a file of certificate authorities, in PEM form; `nil` for the system's.
    package var authorities: String?

    package init() {}
  }

  /// The handle of the C functions, which free it when the thread ends.
  private let handle: Int
  private let callers: Guarded<Callers>

  /// The callers that wait for a response.
  private struct Callers {
    var byNumber: [Int64: CheckedContinuation<TransferResponse, any Error>] = [:]
    var lastNumber: Int64 = 0

    /// Whether the thread was started.
    var isRunning = false
  }

  /// Creates a set without requests; the thread starts with the first one.
  package init(_ settings: Settings) throws(TransferError) {
    let common = ctransfers_settings(
      connections: Int32(min(max(1, settings.connectionCount), 1_024)), limit: settings.byteLimit,
      is_encrypted: settings.isEncrypted ? 1 : 0, uses_proxies: settings.usesProxies ? 1 : 0)
    handle = unsafe ctransfers_open(common, settings.authorities)
    guard handle != 0 else { throw .noMemory }
    callers = Guarded(Callers())
  }

  deinit {
    // The thread frees the handle. Without a thread, nothing else would.
    let (handle, callers) = (handle, callers)
    ctransfers_close(handle)
    if !callers.withLock({ $0.isRunning }) { Self.answerCallers(callers, handle) }
  }

  /// Sends a request and waits for the whole response, whatever its status.
  ///
  /// - Throws: A ``TransferError``, or `CancellationError` as soon as the task is cancelled.
  package func response(to request: TransferRequest) async throws -> TransferResponse {
    let number = callers.withLock { callers in
      callers.lastNumber += 1
      return callers.lastNumber
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let error = callers.withLock { callers in
          let error = begin(request, number, &callers)
          if error == nil { callers.byNumber[number] = continuation }
          return error
        }
        if let error { continuation.resume(throwing: error) }
      }
    } onCancel: {
      // A cancellation before the request begins finds no caller; `begin` sees that one.
      let caller = callers.withLock { callers in
        let caller = callers.byNumber.removeValue(forKey: number)
        if caller != nil { ctransfers_cancel(handle, number) }
        return caller
      }
      caller?.resume(throwing: CancellationError())
    }
  }

  /// Begins a request; returns an error if it can't begin.
  private func begin(
    _ request: TransferRequest, _ number: Int64, _ callers: inout Callers
  ) -> (any Error)? {
    if Task.isCancelled { return CancellationError() }
    if !callers.isRunning {
      let (handle, guarded) = (handle, self.callers)
      callers.isRunning = onNewThread { Self.answerCallers(guarded, handle) }
    }
    guard callers.isRunning, let headers = request.headerText else { return TransferError.noMemory }
    let code = unsafe ctransfers_begin(
      handle, number, request.method, request.url, headers, request.body,
      request.body?.utf8.count ?? 0, request.milliseconds)
    return code == 0 ? nil : TransferError.noMemory
  }

  /// Passes each response to its caller, until the set is closed.
  private static func answerCallers(_ callers: Guarded<Callers>, _ handle: Int) {
    var outcome = ctransfers_outcome()
    while true {
      let number = unsafe ctransfers_next(handle, &outcome)
      if number == 0 { return }
      let caller = callers.withLock { $0.byNumber.removeValue(forKey: number) }
      caller?.resume(with: result(outcome, handle))
    }
  }

  /// Returns the response that the C functions hold, or the error.
  private static func result(
    _ outcome: ctransfers_outcome, _ handle: Int
  ) -> Result<TransferResponse, any Error> {
    if outcome.is_too_large != 0 { return .failure(TransferError.tooLarge) }
    guard outcome.code == 0 else {
      return .failure(TransferError.failed(code: Int(outcome.code)))
    }
    var body = [UInt8](repeating: 0, count: outcome.body_count)
    unsafe ctransfers_copy_body(handle, &body, body.count)
    var delay = [UInt8](repeating: 0, count: outcome.delay_count)
    if !delay.isEmpty { unsafe ctransfers_copy_delay(handle, &delay, delay.count) }
    return .success(
      TransferResponse(
        status: Int(outcome.status), body: body,
        retryAfter: delay.isEmpty ? nil : String(decoding: delay, as: UTF8.self)))
  }
}
