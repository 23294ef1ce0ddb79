import CPlatform

/// Runs two closures at the same time, the second on a new thread.
///
/// If the system can't start a thread, the second closure runs after the first. Both belong to the
/// calling thread's ``StoppableRun``.
///
/// The corresponding C function is `pthread_create`.
///
/// - Returns: The results of both closures.
package func concurrently<First, Second: Sendable>(
  _ first: () -> First, _ second: @escaping @Sendable () -> Second
) -> (First, Second) {
  let run = StoppableRun.current
  let piece = PieceOfWork { run.working(second) }
  let thread = piece.begin()
  let outcome = first()
  if let thread { cplatform_join_thread(thread) } else { piece.run() }
  return (outcome, piece.get())
}

/// Runs two throwing closures at the same time, the second on a new thread.
///
/// Both run to their end, even if the other throws. If both throw, the first one's error is thrown.
///
/// - Returns: The results of both closures.
/// - Throws: The error of a closure.
package func concurrently<First, Second: Sendable>(
  _ first: () throws -> First, _ second: @escaping @Sendable () throws -> Second
) throws -> (First, Second) {
  let outcomes = concurrently({ Result { try first() } }, { Result { try second() } })
  return (try outcomes.0.get(), try outcomes.1.get())
}

/// Runs a closure on a new thread that nothing waits for; returns whether the thread started.
package func onNewThread(_ work: @escaping @Sendable () -> Void) -> Bool {
  PieceOfWork(work).begin() != nil
}

/// A closure to run on a thread, and its result.
///
/// One thread writes the result. The other reads it after joining that thread.
private final class PieceOfWork<Outcome: Sendable>: Work, @unchecked Sendable {
  private let work: @Sendable () -> Outcome
  private var outcome: Outcome?

  init(_ work: @escaping @Sendable () -> Outcome) { self.work = work }

  override func run() { outcome = work() }

  func get() -> Outcome {
    guard let outcome else { preconditionFailure("the thread has ended") }
    return outcome
  }
}

/// The type-erased superclass: a C function pointer can't capture a type parameter.
private class Work {
  /// Runs the closure.
  func run() {}

  /// Starts a thread that runs the closure, and returns it for joining.
  ///
  /// Returns `nil` if the system can't start a thread.
  final func begin() -> Int? {
    let owned = Unmanaged.passRetained(self)
    var thread = 0
    guard cplatform_begin_thread({ runWork($0) }, owned.toOpaque(), &thread) == 0 else {
      owned.release()
      return nil
    }
    return thread
  }
}

private func runWork(_ work: UnsafeMutableRawPointer?) {
  guard let work else { return }
  Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run()
}
