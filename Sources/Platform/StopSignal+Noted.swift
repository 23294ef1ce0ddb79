import CPlatform

// Only a program that notes stop signals has any: a library doesn't change what a signal does. A
// caller of a library can cancel its own run instead, which then ends in the same way.
extension StopSignal {
  /// The first stop signal that was noted; `nil` if there was none.
  package static var noted: StopSignal? { StopSignal(rawValue: cplatform_noted_signal()) }

  /// Whether this thread's run is to end: it was stopped, and isn't completing.
  package static var endsRun: Bool {
    let run = StoppableRun.current
    return run.isStopped && !run.isCompleting.withLock { $0 }
  }

  /// Throws if the run is to end.
  ///
  /// - Throws: A ``SystemError`` with `EINTR`.
  package static func check() throws(SystemError) {
    if endsRun { throw .interrupted }
  }

  /// Begins a run, which a stop signal may end.
  package static func beginRun() { StoppableRun.current.isCompleting.withLock { $0 = false } }

  /// Passes the point of no return: from here on, a stop signal no longer ends the run.
  ///
  /// - Throws: A ``SystemError`` with `EINTR` if the run was stopped already.
  package static func completeRun() throws(SystemError) {
    let run = StoppableRun.current
    let wasCompleting = run.isCompleting.withLock { isCompleting in
      defer { isCompleting = true }
      return isCompleting
    }
    // A signal that is noted after this has no effect, so check after setting the flag.
    guard run.isStopped, !wasCompleting else { return }
    beginRun()
    throw .interrupted
  }

  /// Does what no stop signal may end, even one that was noted before.
  ///
  /// Afterwards, a signal ends the run again.
  package static func finishingRun(_ work: () -> Void) {
    StoppableRun.current.isCompleting.withLock { $0 = true }
    work()
    beginRun()
  }

  /// Whether the run is past the point of no return.
  package static var isRunCompleting: Bool { StoppableRun.current.isCompleting.withLock { $0 } }
}
