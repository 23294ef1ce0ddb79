public import OutboxCore
import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A clock for tests, whose time passes only when you advance it.
public final class ManualClock: OutboxClock {
  private struct Sleeper {
    let number: Int
    let wakeDate: Date
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now: Date
    var sleepers: [Sleeper] = []
    var last = 0
    var cancelled: Set<Int> = []
  }

  private let state: Mutex<State>

  /// Creates a clock that shows a date.
  public init(_ date: Date = Date(timeIntervalSinceReferenceDate: 800_000_000)) {
    state = Mutex(State(now: date))
  }

  public var now: Date { state.withLock { $0.now } }

  /// The number of tasks that wait for a date.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  public func sleep(for seconds: TimeInterval) async throws {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          if state.cancelled.contains(number) { return true }
          state.sleepers.append(
            Sleeper(
              number: number, wakeDate: state.now.addingTimeInterval(seconds),
              continuation: continuation))
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        state.cancelled.insert(number)
        let place = state.sleepers.firstIndex { $0.number == number }
        return place.map { state.sleepers.remove(at: $0) }
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Moves on to the next date for which a task waits; returns `false` if it is after a date.
  private func advanceToNext(by date: Date) -> Bool {
    let woken = state.withLock { state -> [Sleeper]? in
      guard let next = state.sleepers.map(\.wakeDate).min(), next <= date else { return nil }
      state.now = max(state.now, next)
      let woken = state.sleepers.filter { $0.wakeDate <= next }
      state.sleepers.removeAll { $0.wakeDate <= next }
      return woken
    }
    for sleeper in woken ?? [] { sleeper.continuation.resume() }
    return woken != nil
  }

  /// Lets seconds pass; each task that waits runs at its date, until it waits again.
  ///
  /// - Parameters:
  ///   - seconds: The seconds.
  ///   - isBusy: Whether a task runs. The clock doesn't move on before, unless it takes long.
  public func advance(by seconds: TimeInterval, while isBusy: () async -> Bool = { false }) async {
    let end = now.addingTimeInterval(seconds)
    repeat { await settle(while: isBusy) } while advanceToNext(by: end)
    state.withLock { $0.now = end }
    await settle(while: isBusy)
  }

  /// Lets other tasks run until they wait.
  ///
  /// The clock alone can't know whether they do: it yields often, and gives other threads three
  /// milliseconds after the last task began to wait. On a busy machine, another thread may be in the
  /// middle of a task for longer; `isBusy` says so.
  public func settle(while isBusy: () async -> Bool = { false }) async {
    var count = state.withLock { $0.last }
    var quietRounds = 0
    for _ in 0..<100 where quietRounds < 3 {
      for _ in 0..<100 { await Task.yield() }
      try? await Task.sleep(for: .milliseconds(1))
      let newCount = state.withLock { $0.last }
      let isWorking = await isBusy()
      quietRounds = newCount == count && !isWorking ? quietRounds + 1 : 0
      count = newCount
    }
  }
}
