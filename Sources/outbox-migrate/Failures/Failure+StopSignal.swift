import Platform
import StoreMigration

extension Failure {
  /// Returns the failure of a run that a stop signal ended; `nil` if none did.
  ///
  /// Such a run fails with the error of whatever was interrupted, which says nothing.
  ///
  /// - Parameter path: The path of the store, as typed; `nil` if the command has no store.
  /// - Returns: The failure, which says that nothing was changed.
  static func ofStopSignal(path: String? = nil) -> Failure? {
    guard let signal = StopSignal.noted, StopSignal.endsRun else { return nil }
    let subject = path.map { "'\($0)' is unchanged" } ?? "nothing was changed"
    return Failure(ExitStatus(signal), subject + "; run the command again to start over")
  }
}

extension ExitStatus {
  /// The status of a run that a signal stopped.
  init(_ signal: StopSignal) {
    switch signal {
    case .interrupt: self = .interrupted
    case .terminate: self = .terminated
    }
  }
}
