/// A signal that asks a process to stop.
package enum StopSignal: Int32, CaseIterable, Hashable, Sendable {
  /// `SIGINT`, which a terminal sends for Control-C.
  case interrupt = 2

  /// `SIGTERM`, the default signal of `kill`.
  case terminate = 15

  /// The exit status of a process that the signal stopped, as in shells.
  package var exitStatus: Int32 { 128 + rawValue }

  /// The signal that an exit status stands for, or `nil`.
  package init?(exitStatus: Int32) { self.init(rawValue: exitStatus - 128) }
}
