import CProcesses
package import Platform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Whether stop signals are noted, aren't for a while, or never were (`nil`).
private let isNoting = Guarded<Bool?>(nil)

// A program that calls `note()` isn't ended by its first stop signal: the run ends where the store
// is whole, and removes its temporary files.
extension StopSignal {
  /// Notes stop signals from now on; a second one of the same kind ends the process.
  ///
  /// The corresponding C function is `sigaction`.
  package static func note() {
    isNoting.withLock { $0 = true }
    cprocesses_note_stop_signals(1)
  }

  /// Lets a stop signal end the process until ``noteAgain()``: there is nothing to clean up.
  ///
  /// Does nothing in a process that doesn't note signals.
  package static func pauseNoting() {
    guard isNoting.withLock({ $0 }) == true else { return }
    isNoting.withLock { $0 = false }
    cprocesses_note_stop_signals(0)
    if let noted { exit(noted.exitStatus) }
  }

  /// Notes stop signals again, after ``pauseNoting()``.
  package static func noteAgain() {
    if isNoting.withLock({ $0 }) == false { note() }
  }
}
