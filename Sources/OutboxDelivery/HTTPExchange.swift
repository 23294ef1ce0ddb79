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
  /// Headers don't pass through this class; libcurl limits their size.
  private static let maximumByteCount = 1 << 20

  private let pending = Guarded<[Int: Pending]>([:])

  /// Sends a request and waits for the whole response.
  ///
  /// The request's timeout is the limit from its start to the response's last byte. Foundation's
  /// own begins again with each byte.
  func response(
    to request: URLRequest, in session: URLSession
  ) async throws -> (HTTPURLResponse, [UInt8]) {
    let task = session.dataTask(with: request)
    let deadline = Task {
      try await Task.sleep(for: .seconds(request.timeoutInterval))
      abandon(task, URLError(.timedOut))
    }
    defer { deadline.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        pending.withLock { $0[task.taskIdentifier] = Pending(continuation: continuation) }
        // If the task was cancelled earlier, its completion may already have been reported.
        if Task.isCancelled { end(task, .failure(CancellationError())) } else { task.resume() }
      }
    } onCancel: {
      abandon(task, CancellationError())
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
