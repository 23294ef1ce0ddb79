/// A piece of work that either of several threads does, whichever comes first.
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

  /// Does the work, unless another thread has begun it.
  package func carryOutIfFree() {
    let isMine = state.withLock { state in
      guard case .free = state else { return false }
      state = .taken
      return true
    }
    guard isMine else { return }
    let result = Result { try work() }
    state.withLock { $0 = .ended(result) }
  }

  /// Returns what the work returns: does it, or waits for the thread that has begun it.
  ///
  /// - Throws: What the work throws.
  package func outcome() throws -> Outcome {
    carryOutIfFree()
    let result = state.withLock(when: { !$0.isTaken }) { state in
      guard case .ended(let result) = state else {
        preconditionFailure("work that was begun ends")
      }
      return result
    }
    return try result.get()
  }
}
