package import Platform
import StoreMigration

extension Failure {
  /// Returns the failure of a run that a stop signal ended; `nil` if none did.
  ///
  /// Such a run fails with the error of whatever was interrupted, which says nothing.
  ///
  /// - Parameters:
  ///   - path: The path of the store, as typed; `nil` if the command has no store.
  ///   - done: What was changed before, in words; `nil` if nothing was.
  /// - Returns: The failure, which says what was changed.
  package static func ofStopSignal(path: String? = nil, doing done: String? = nil) -> Failure? {
    guard let signal = StopSignal.noted, StopSignal.endsRun else { return nil }
    let subject = done ?? path.map { "'\($0)' is unchanged" } ?? "nothing was changed"
    return Failure(ExitStatus(signal), subject + "; run the command again to start over")
  }

  /// The line about a stop signal that came too late to keep something from being done.
  package static func lateLine(_ done: String) -> String {
    "Stopped: the signal came after \(done).\n"
  }
}

extension ExitStatus {
  /// The status of a run that a signal stopped.
  package init(_ signal: StopSignal) {
    switch signal {
    case .interrupt: self = .interrupted
    case .terminate: self = .terminated
    }
  }
}
