/// A closure that exactly one of several threads runs: the first to get to it.
package final class SharedPiece<Outcome: Sendable>: Sendable {
  private let work: @Sendable () throws -> Outcome
  private let state = Guarded(State.free)

  private enum State {
    case free
    case taken
    case ended(Result<Outcome, any Error>)

    var isTaken: Bool { if case .taken = self { true } else { false } }
  }

  package init(_ work: @escaping @Sendable () throws -> Outcome) { self.work = work }

  /// Runs the closure, unless another thread has started it.
  package func runIfFree() {
    let isMine = state.withLock { state in
      guard case .free = state else { return false }
      state = .taken
      return true
    }
    guard isMine else { return }
    let result = Result { try work() }
    state.withLock { $0 = .ended(result) }
  }

  /// Returns the closure's result: runs the closure, or waits for the thread that has started it.
  ///
  /// - Throws: The error of the closure.
  package func outcome() throws -> Outcome {
    runIfFree()
    let result = state.withLock(when: { !$0.isTaken }) { state in
      guard case .ended(let result) = state else {
        preconditionFailure("a started closure ends")
      }
      return result
    }
    return try result.get()
  }
}
