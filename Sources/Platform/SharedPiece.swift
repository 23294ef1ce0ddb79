/// A piece of work that either of several threads does, whichever comes first.
public final class SharedPiece<Outcome: Sendable>: Sendable {
  private let work: @Sendable () throws -> Outcome
  private let state = Guarded(State.free)

  private enum State {
    case free
    case taken
    case done(Outcome)
  }

  public init(_ work: @escaping @Sendable () throws -> Outcome) { self.work = work }

  /// Does the work, unless another thread has begun it.
  public func carryOutIfFree() throws {
    let isMine = state.withLock { state in
      guard case .free = state else { return false }
      state = .taken
      return true
    }
    guard isMine else { return }
    let outcome = try work()
    state.withLock { $0 = .done(outcome) }
  }

  /// Returns what the work returned.
  ///
  /// - Precondition: A thread has done it, and has ended.
  public func outcome() -> Outcome {
    let state = state.withLock { $0 }
    guard case .done(let outcome) = state else {
      preconditionFailure("the piece of work is done")
    }
    return outcome
  }
}
