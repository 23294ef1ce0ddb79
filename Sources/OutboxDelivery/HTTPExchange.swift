import Foundation
import Platform

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The requests of a session that are under way, and what has come of each so far.
///
/// Foundation's own functions that wait for an answer follow redirections on Linux, whatever their
/// delegate says (tried with Swift 6.3); a delegate of the session is asked.
final class HTTPExchange: NSObject, URLSessionDataDelegate {
  /// One request.
  private struct Pending {
    let continuation: CheckedContinuation<(HTTPURLResponse, [UInt8]), any Error>
    var body: [UInt8] = []
  }

  /// The most bytes of an answer that are kept: 1 MiB.
  private static let maximumByteCount = 1 << 20

  private let pending = Guarded<[Int: Pending]>([:])

  /// Sends a request and waits for the answer.
  func answer(
    to request: URLRequest, in session: URLSession
  ) async throws -> (HTTPURLResponse, [UInt8]) {
    let task = session.dataTask(with: request)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        pending.withLock { $0[task.taskIdentifier] = Pending(continuation: continuation) }
        // One that was cancelled before may have told its end already, when nobody waited for it.
        if Task.isCancelled { end(task, .failure(CancellationError())) } else { task.resume() }
      }
    } onCancel: {
      task.cancel()
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    pending.withLock { pending in
      let room = Self.maximumByteCount - (pending[dataTask.taskIdentifier]?.body.count ?? 0)
      pending[dataTask.taskIdentifier]?.body += data.prefix(max(0, room))
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    // Its status is the answer.
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
      end(task, .failure(HTTPError.badAnswer))
    }
  }

  /// Lets whoever waits for a request go on, once.
  private func end(_ task: URLSessionTask, _ outcome: Result<HTTPURLResponse, any Error>) {
    guard let request = pending.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else {
      return
    }
    request.continuation.resume(with: outcome.map { ($0, request.body) })
  }
}
