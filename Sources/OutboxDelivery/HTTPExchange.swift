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
    let continuation: CheckedContinuation<(HTTPURLResponse, [UInt8]), any Error>
    var body: [UInt8] = []
  }

  /// The maximum size of a response body in bytes: 1 MiB.
  ///
  /// The rest is dropped.
  private static let maximumByteCount = 1 << 20

  private let pending = Guarded<[Int: Pending]>([:])

  /// Sends a request and waits for the response.
  func response(
    to request: URLRequest, in session: URLSession
  ) async throws -> (HTTPURLResponse, [UInt8]) {
    let task = session.dataTask(with: request)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        pending.withLock { $0[task.taskIdentifier] = Pending(continuation: continuation) }
        // If the task was cancelled earlier, its completion may already have been reported.
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

  /// Resumes the waiting caller, once.
  private func end(_ task: URLSessionTask, _ outcome: Result<HTTPURLResponse, any Error>) {
    guard let request = pending.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else {
      return
    }
    request.continuation.resume(with: outcome.map { ($0, request.body) })
  }
}
