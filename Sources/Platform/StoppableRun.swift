/// A run that may end early, up to its point of no return.
///
/// A thread's ``current`` run is the process's own, which stop signals alone end, unless it works
/// inside ``working(until:_:)``.
package final class StoppableRun: Sendable {
  @TaskLocal private static var task = StoppableRun(isCancelled: nil)

  /// The run that the calling thread works on.
  static var current: StoppableRun { task }

  private let isCancelled: (@Sendable () -> Bool)?

  /// Whether the run is past the point where it could end early.
  let isCompleting = Guarded(false)

  private init(isCancelled: (@Sendable () -> Bool)?) { self.isCancelled = isCancelled }

  /// Whether the run was asked to end.
  var isStopped: Bool { StopSignal.noted != nil || isCancelled?() == true }

  /// Makes work a run of its own, unless the calling thread works on one already.
  ///
  /// - Parameters:
  ///   - isCancelled: A closure that returns `true` once the run is to end; any thread calls it.
  ///   - work: The work.
  /// - Returns: What the work returns.
  /// - Throws: What the work throws.
  package static func working<Result: ~Copyable>(
    until isCancelled: @escaping @Sendable () -> Bool, _ work: () throws -> Result
  ) rethrows -> Result {
    guard current.isCancelled == nil else { return try work() }
    return try StoppableRun(isCancelled: isCancelled).working(work)
  }

  /// Does work of this run, on any thread.
  func working<Result: ~Copyable>(_ work: () throws -> Result) rethrows -> Result {
    var result: Result?
    try Self.$task.withValue(self) { result = try work() }
    guard let result = result.take() else { preconditionFailure("the work has ended") }
    return result
  }
}
