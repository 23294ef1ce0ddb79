import Testing

@testable import OutboxDelivery

/// Runs a test's asynchronous steps on a thread of its own.
///
/// Other tests wait for processes on Swift's few shared threads. A test whose next step waits behind them for minutes finds
/// that its connections are too old to be used again.
struct OwnThread: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(QueueExecutor()) { try await function() }
  }
}

extension Trait where Self == OwnThread {
  /// Runs the test's asynchronous steps on a thread of its own.
  static var ownThread: OwnThread { OwnThread() }
}
