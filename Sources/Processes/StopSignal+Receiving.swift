package import Platform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension StopSignal {
  /// Keeps stop signals pending until ``receive(_:)``, instead of letting them end the process.
  ///
  /// Call it before other threads start. Threads and programs that start later inherit this.
  ///
  /// The corresponding C function is `pthread_sigmask`.
  package static func hold() {
    var signals = all
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Calls a closure for each stop signal, on a thread of its own, until the process exits.
  ///
  /// ``hold()`` must have been called. The corresponding C function is `sigwait`.
  package static func receive(_ body: @escaping @Sendable (StopSignal) -> Void) {
    let isReceiving = onNewThread {
      var signals = all
      var number: Int32 = 0
      while true {
        guard sigwait(&signals, &number) == 0, let signal = StopSignal(rawValue: number) else {
          continue
        }
        body(signal)
      }
    }
    // Without the thread, the signals have to end the process, as by default.
    guard !isReceiving else { return }
    var signals = all
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static var all: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in allCases { sigaddset(&signals, signal.rawValue) }
    return signals
  }
}
