import Foundation
import Platform

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The pending requests of a session.
///
/// On Linux, Foundation's functions that return a response follow redirects and ignore a task's
/// delegate (observed with Swift 6.3). The session's delegate is called.
final class HTTPExchange: NSObject, URLSessionDataDelegate {
  /// A pending request.
  private struct Pending {
    let task: URLSessionTask
    let deadline: ContinuousClock.Instant
    let continuation: CheckedContinuation<(HTTPURLResponse, [UInt8]), any Error>
    var body: [UInt8] = []
  }

  /// The maximum size of a response body in bytes: 1 MiB.
  ///
  /// Headers don't pass through this class; libcurl limits their size.
  private static let maximumByteCount = 1 << 20

  private let pending = Guarded<[Int: Pending]>([:])

  /// Whether a task watches the deadlines.
  private let isWatched = Guarded(false)

  /// Sends a request and waits for the whole response.
  ///
  /// The request's timeout is the limit from its start to the response's last byte. Foundation's
  /// own begins again with each byte.
  func response(
    to request: URLRequest, in session: URLSession
  ) async throws -> (HTTPURLResponse, [UInt8]) {
    let task = session.dataTask(with: request)
    let deadline = ContinuousClock.now + .seconds(request.timeoutInterval)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        pending.withLock {
          $0[task.taskIdentifier] = Pending(
            task: task, deadline: deadline, continuation: continuation)
        }
        watchDeadlines()
        // If the task was cancelled earlier, its completion may already have been reported.
        if Task.isCancelled { end(task, .failure(CancellationError())) } else { task.resume() }
      }
    } onCancel: {
      abandon(task, CancellationError())
    }
  }

  /// Starts a task that ends the requests whose time is over, unless there is one.
  ///
  /// All requests of a session have the same time, so a new one never ends first. A timer for each
  /// would cost a fifth of a short request's processor time.
  private func watchDeadlines() {
    let isNew = isWatched.withLock { isWatched in
      defer { isWatched = true }
      return !isWatched
    }
    guard isNew else { return }
    Task { [weak self] in
      while let next = self?.endOverdueRequests() { try? await Task.sleep(until: next) }
    }
  }

  /// Ends the requests whose time is over, and returns the next deadline.
  ///
  /// Without requests, it notes that the deadlines aren't watched any more, and returns `nil`.
  private func endOverdueRequests() -> ContinuousClock.Instant? {
    let now = ContinuousClock.now
    let overdue = pending.withLock { $0.values.filter { $0.deadline <= now }.map(\.task) }
    for task in overdue { abandon(task, URLError(.timedOut)) }
    return pending.withLock { pending in
      let next = pending.values.map(\.deadline).min()
      // A request that is added after this finds that it has to be watched.
      if next == nil { isWatched.withLock { $0 = false } }
      return next
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLarge = pending.withLock { pending in
      guard let request = pending[dataTask.taskIdentifier] else { return false }
      if request.body.count + data.count > Self.maximumByteCount { return true }
      pending[dataTask.taskIdentifier]?.body += data
      return false
    }
    if isTooLarge { abandon(dataTask, HTTPError.tooLarge) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    // Don't follow: the status of the redirect is the response's.
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    if let error {
      end(task, .failure(error))
    } else if let response = task.response as? HTTPURLResponse {
      end(task, .success(response))
    } else {
      end(task, .failure(HTTPError.badResponse))
    }
  }

  /// Ends a request at once, whether or not the session responds.
  private func abandon(_ task: URLSessionTask, _ error: any Error) {
    end(task, .failure(error))
    // On Linux, the call waits for the session's queue, which a hostile response can keep busy.
    DispatchQueue.global().async { task.cancel() }
  }

  /// Resumes the waiting caller, once.
  private func end(_ task: URLSessionTask, _ outcome: Result<HTTPURLResponse, any Error>) {
    guard let request = pending.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else {
      return
    }
    request.continuation.resume(with: outcome.map { ($0, request.body) })
  }
}
