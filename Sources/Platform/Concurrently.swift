import CPlatform

/// Does two pieces of work at the same time, the second on a thread of its own.
///
/// Where there is no thread to be had, the second piece is done after the first.
///
/// The corresponding C function is `pthread_create`.
///
/// - Returns: What the two return.
package func concurrently<First, Second: Sendable>(
  _ first: () -> First, _ second: @escaping @Sendable () -> Second
) -> (First, Second) {
  let piece = PieceOfWork(second)
  let thread = piece.begin()
  let outcome = first()
  if let thread { cplatform_join_thread(thread) } else { piece.carryOut() }
  return (outcome, piece.get())
}

/// Does two pieces of work that may fail at the same time, the second on a thread of its own.
///
/// Neither is cut short by the other's failure. Where both fail, the first one's error is thrown.
///
/// - Returns: What the two return.
/// - Throws: What one of them throws.
package func concurrently<First, Second: Sendable>(
  _ first: () throws -> First, _ second: @escaping @Sendable () throws -> Second
) throws -> (First, Second) {
  let outcomes = concurrently({ Result { try first() } }, { Result { try second() } })
  return (try outcomes.0.get(), try outcomes.1.get())
}

/// Work for a thread, and what came of it.
///
/// One thread writes the outcome, and the other reads it after the first has ended.
private final class PieceOfWork<Outcome: Sendable>: Work, @unchecked Sendable {
  private let work: @Sendable () -> Outcome
  private var outcome: Outcome?

  init(_ work: @escaping @Sendable () -> Outcome) { self.work = work }

  override func carryOut() { outcome = work() }

  func get() -> Outcome {
    guard let outcome else { preconditionFailure("the thread has ended") }
    return outcome
  }
}

/// Work of any outcome: what C's functions take has no type parameter.
private class Work {
  /// Does the work.
  func carryOut() {}

  /// Does the work on a thread, which must be joined; none where there is none to be had.
  final func begin() -> Int? {
    let owned = Unmanaged.passRetained(self)
    var thread = 0
    guard cplatform_begin_thread({ run($0) }, owned.toOpaque(), &thread) == 0 else {
      owned.release()
      return nil
    }
    return thread
  }
}

private func run(_ work: UnsafeMutableRawPointer?) {
  guard let work else { return }
  Unmanaged<Work>.fromOpaque(work).takeRetainedValue().carryOut()
}
